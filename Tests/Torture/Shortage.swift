import Glibc
import LinuxSystem
import TestKit

/// Something that runs out for a moment and is there again.
enum Shortage: CaseIterable {
  /// Not a block is free where the state is.
  case blocks
  /// No further file can be made there.
  case inodes
  /// The runner may open nothing more.
  case descriptors
  /// The runner, and what stands ready for it to be copied, may have no further process.
  case processes
  /// The runner gets no further memory, of which programs die.
  case memory
  /// What is opened in the state can only be read.
  case writing

  /// What can run out on this machine.
  static let possible = allCases.filter { $0 != .processes || ProcessBound.isPossible }

  /// A small disk of memory over the home, in a mount namespace that is the caller's alone.
  static func prepare(_ sandbox: Sandbox) throws {
    try run(
      "/bin/mount",
      ["-t", "tmpfs", "-o", "size=64m,nr_inodes=3000,mode=700", "none", sandbox.home])
  }

  func begin(_ workplace: Workplace, _ runner: ProcessIdentity) throws {
    let home = workplace.sandbox.home
    switch self {
    case .blocks: Self.fill(home + "/ballast")
    case .inodes: Self.occupyNames(in: home + "/names")
    case .descriptors:
      let open = workplace.names(in: "/proc/\(runner.pid)/fd").count
      Self.limit(runner, "nofile", to: "\(open)")
    case .processes: try ProcessBound.begin([runner.pid] + workplace.readySupervisors(of: runner))
    case .memory:
      let pages = workplace.text("/proc/\(runner.pid)/statm").split(separator: " ").first
      guard let pages = pages.flatMap({ Int($0) }) else { return }
      Self.limit(runner, "as", to: "\(pages * Int(getpagesize()))")
    case .writing:
      // A mount on which somebody has a file open to write is not remounted to be read only; what is
      // opened from now on finds another one in its place.
      let (state, other) = (home + "/state", workplace.sandbox.path("read-only"))
      try File.makeDirectory(other)
      try Self.run("/bin/mount", ["--bind", state, other])
      try Self.run("/bin/mount", ["-o", "remount,bind,ro", other])
      try Self.run("/bin/mount", ["--move", other, state])
    }
  }

  func end(_ workplace: Workplace, _ runner: ProcessIdentity) throws {
    let home = workplace.sandbox.home
    switch self {
    case .blocks: try File.remove(home + "/ballast")
    case .inodes: try File.removeTree(home + "/names")
    case .descriptors: Self.limit(runner, "nofile", to: "1024")
    case .processes: try ProcessBound.end()
    case .memory: Self.limit(runner, "as", to: "unlimited")
    case .writing:
      let state = home + "/state"
      try Self.run("/bin/mount", ["-o", "remount,bind,rw", state])
      // Those who have opened something through it go on with that.
      try Self.run("/bin/umount", ["--lazy", state])
    }
  }

  private static func fill(_ path: String) {
    guard let file = try? File.open(path, [.write, .create]) else { return }
    for size in [1 << 20, 4096] {
      let zeros = [UInt8](repeating: 0, count: size)
      while (try? file.write(zeros)) == size {}
    }
  }

  private static func occupyNames(in folder: String) {
    guard (try? File.makeDirectory(folder)) != nil else { return }
    var count = 0
    while (try? File.open("\(folder)/\(count)", [.write, .create])) != nil { count += 1 }
  }

  /// Only the soft limit, as that can be raised again; it may have ended meanwhile.
  private static func limit(_ process: ProcessIdentity, _ what: String, to limit: String) {
    try? run("/usr/bin/prlimit", ["--pid", "\(process.pid)", "--\(what)=\(limit):"])
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let end = try Command(program, arguments, environment: [:]).wait()
    guard end.status == 0 else { throw Machine.Failure(description: end.errors) }
  }
}

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
      Self.limitDescriptors(of: runner, to: "\(open)")
    }
  }

  func end(_ workplace: Workplace, _ runner: ProcessIdentity) throws {
    let home = workplace.sandbox.home
    switch self {
    case .blocks: try File.remove(home + "/ballast")
    case .inodes: try File.removeTree(home + "/names")
    case .descriptors: Self.limitDescriptors(of: runner, to: "1024")
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
  private static func limitDescriptors(of process: ProcessIdentity, to limit: String) {
    try? run("/usr/bin/prlimit", ["--pid", "\(process.pid)", "--nofile=\(limit):"])
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let end = try Command(program, arguments, environment: [:]).wait()
    guard end.status == 0 else { throw Machine.Failure(description: end.errors) }
  }
}

import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit

/// Something that runs out for a moment and is there again.
enum Shortage: CaseIterable {
  /// Not a block is free where the state is.
  case blocks
  /// No further file can be made there.
  case inodes
  /// The runner cannot open more files.
  case descriptors
  /// The runner, and its template supervisor, cannot start more processes.
  case processes
  /// The runner gets no more memory, which kills programs.
  case memory
  /// Files in the state folder can only be opened for reading.
  case writing
  /// The control group of the runner has no memory left: one of its processes may be killed.
  case groupMemory
  /// Reads and writes of the runner fail.
  case disk
  /// The wall clock of the runner jumps forth, and then back.
  case clock
  /// Runner and supervisors are stopped for seconds.
  case processor

  /// The resources that can be exhausted on this machine.
  static let possible = allCases.filter {
    switch $0 {
    case .processes: GroupBound.processes.isPossible
    case .groupMemory: GroupBound.memory.isPossible
    case .blocks, .inodes, .descriptors, .memory, .writing, .disk, .clock, .processor: true
    }
  }

  /// How long it lasts at most, in milliseconds.
  var milliseconds: Int { self == .processor ? 4000 : 500 }

  /// A small memory disk over the home, in a private mount namespace, and a library that makes disk and clock
  /// fail; returns its environment variables.
  static func prepare(_ sandbox: Sandbox) throws -> [String: String] {
    try run(
      "/bin/mount",
      ["-t", "tmpfs", "-o", "size=64m,nr_inodes=3000,mode=700", "none", sandbox.home])
    let library = sandbox.path("faulty.so")
    try StubLibrary.build("FaultyMachine/faulty_machine.c", at: library)
    try File.makeDirectory(faults(sandbox))
    return [
      "LD_PRELOAD": library, "FAULTS": faults(sandbox), "FAULTY_PROGRAM": "jobrund",
    ]
  }

  private static func faults(_ sandbox: Sandbox) -> String { sandbox.path("faults") }

  private static func makeFault(_ name: String, _ text: String, _ workplace: Workplace) throws {
    let path = "\(faults(workplace.sandbox))/\(name)"
    try File.open(path + ".new", [.write, .create]).writeAll(Array(text.utf8))
    try File.rename(path + ".new", to: path)
  }

  /// Runner and supervisors, including template ones.
  private static func signal(_ signal: Int32, _ workplace: Workplace, _ runner: ProcessIdentity) {
    for pid in workplace.supervisors() {
      _ = try? ProcessDescriptor(pid).signal(signal)
      // The process may have been a worker just before its exec.
      guard signal == Signal.continue else { continue }
      for child in ProcessFiles.children(of: pid) {
        _ = try? ProcessDescriptor(child).signal(signal)
      }
    }
    _ = try? ProcessDescriptor(runner).signal(signal)
  }

  func begin(_ workplace: Workplace, _ runner: ProcessIdentity) throws {
    let home = workplace.sandbox.home
    switch self {
    case .blocks: Self.fill(home + "/ballast")
    case .inodes: Self.occupyNames(in: home + "/names")
    case .descriptors:
      let open = workplace.names(in: "/proc/\(runner.pid)/fd").count
      Self.limit(runner, "nofile", to: "\(open)")
    case .groupMemory:
      try GroupBound.memory.begin([runner.pid] + workplace.readySupervisors(of: runner))
    case .disk: try Self.makeFault("disk", "", workplace)
    case .clock: try Self.makeFault("clock", "3600", workplace)
    case .processor: Self.signal(Signal.stop, workplace, runner)
    case .processes:
      try GroupBound.processes.begin([runner.pid] + workplace.readySupervisors(of: runner))
    case .memory:
      let pages = workplace.text("/proc/\(runner.pid)/statm").split(separator: " ").first
      guard let pages = pages.flatMap({ Int($0) }) else { return }
      Self.limit(runner, "as", to: "\(pages * Int(getpagesize()))")
    case .writing:
      // A mount with a file open for writing cannot be remounted read-only; files opened from now on are on
      // another mount in its place.
      let (state, other) = (home + "/state", workplace.sandbox.path("read-only"))
      try File.makeDirectory(other)
      try Self.run("/bin/mount", ["--bind", state, other])
      try Self.run("/bin/mount", ["-o", "remount,bind,ro", other])
      try Self.run("/bin/mount", ["--move", other, state])
    }
  }

  /// One shortage, from its begin to its end.
  struct Episode {
    let shortage: Shortage
    let time: ClosedRange<WallTime>
    let runnerWasKilled: Bool
    /// The number of processes that the kernel killed for lack of memory, which may have been of any job.
    let killedByKernel: Int

    var line: String {
      "\(time.lowerBound.text) to \(time.upperBound.text): no \(shortage)"
        + (killedByKernel > 0 ? ", \(killedByKernel) killed by the kernel" : "")
        + (runnerWasKilled ? ", runner killed" : "")
    }
  }

  /// Lifts it; returns how many processes the kernel has killed in the meantime.
  func end(_ workplace: Workplace, _ runner: ProcessIdentity) throws -> Int {
    let home = workplace.sandbox.home
    switch self {
    case .blocks: try File.remove(home + "/ballast")
    case .inodes: try File.removeTree(home + "/names")
    case .descriptors: Self.limit(runner, "nofile", to: "1024")
    case .processes: _ = try GroupBound.processes.end()
    case .groupMemory: return try GroupBound.memory.end()
    case .disk: try File.remove(Self.faults(workplace.sandbox) + "/disk")
    case .clock: try File.remove(Self.faults(workplace.sandbox) + "/clock")
    case .processor: Self.signal(Signal.continue, workplace, runner)
    case .memory: Self.limit(runner, "as", to: "unlimited")
    case .writing:
      let state = home + "/state"
      try Self.run("/bin/mount", ["-o", "remount,bind,rw", state])
      // Processes that have opened files through it keep those.
      try Self.run("/bin/umount", ["--lazy", state])
    }
    return 0
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

  /// Only the soft limit, because that can be raised again; the process may have ended meanwhile.
  private static func limit(_ process: ProcessIdentity, _ what: String, to limit: String) {
    try? run("/usr/bin/prlimit", ["--pid", "\(process.pid)", "--\(what)=\(limit):"])
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let end = try Command(program, arguments, environment: [:]).wait()
    guard end.status == 0 else { throw Machine.Failure(description: end.errors) }
  }
}

internal import JobPage
internal import LinuxSystem

/// Runs once through the code of every copy of this process.
///
/// The Swift runtime creates its types at their first use, which is most of the work of a supervisor before
/// its job starts. Types that are ready here are ready in every copy.
enum Warmup {
  static func perform() {
    var nothing = LaunchSpecification(
      directory: Array("/".utf8), arguments: [Array("/".utf8)], environment: [Array("A=".utf8)])
    nothing.terms = ProcessTerms.current()
    let order = LaunchOrder(
      record: "/", page: "/", log: "/", stateDirectory: "/", token: "none", graceMilliseconds: 1,
      creationMask: 0o77, specification: nothing)
    let read = try? LaunchOrder(decoding: order.encoded())
    _ = OutOfMemoryKills()
    guard let process = ProcessIdentity(pid: CurrentProcess.identifier), let read else { return }
    // A folder cannot be executed: the child exists for a moment only.
    var spawn = Spawn(
      read.specification.arguments, environment: read.specification.environment,
      directory: read.specification.directory)
    spawn.startsGroup = true
    spawn.terms = read.specification.terms
    spawn.descriptors = [.init(0, as: 0), .init(1, as: 1), .init(1, as: 2)]
    spawn.announcement = .init(
      prefix: "", suffix: RunRecord.Line.startedSuffix(shim: process), record: 1)
    _ = try? spawn.start()
    _ = try? ChildProcess.reapAny()
    _ = try? Poll.wait([(number: 0, interest: .readable)], until: 0)
    let end = RunRecord.Line.ended(
      .init(
        status: .exited(0), cpuMicroseconds: 0, residentBytes: 0, startedMilliseconds: 0,
        endedMilliseconds: 0))
    _ = RunRecord(parsing: Array(end.text.utf8))
  }
}

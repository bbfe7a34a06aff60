internal import JobPage
internal import LinuxSystem

/// Goes once through what every copy of this process will do.
///
/// The Swift runtime makes the types that it is made of when they are first used, which is most of what
/// a supervisor computes before its job starts. What is ready here is ready in every copy.
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
    // A folder cannot be executed: there is a child for a moment, and then there is none.
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

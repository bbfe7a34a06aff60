import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Copies of standard input that a runner finds at its start.
struct StrayInputTests {
  private let sandbox: Sandbox
  private let paths: Paths

  init() throws {
    sandbox = try Sandbox()
    paths = try Paths(
      environment: Environment(sandbox.environment), user: CurrentProcess.userIdentifier)
  }

  /// A copy that was filled last two hours ago.
  private func writeOld(_ key: String) throws -> String {
    let path = paths.input(key: key)
    try File.makeDirectories(File.parent(of: path))
    try File.writeAtomically(Array("some input".utf8), to: path)
    var times = [timespec(), timespec()]
    for place in times.indices { times[place].tv_sec = time(nil) - 7_200 }
    try #require(unsafe utimensat(AT_FDCWD, path, times, 0) == 0)
    return path
  }

  @Test func `one is removed, but not while its submitter has it open`()
    throws
  {
    let abandoned = try writeOld("aaaaaaaaaaaaaaaa")
    let kept = try writeOld("bbbbbbbbbbbbbbbb")
    let submitter = try File.open(kept, [.write])
    _ = try RunnerStage(in: sandbox)
    #expect(!File.exists(abandoned))
    #expect(File.exists(kept))
    #expect(try submitter.size() == 10)
  }

  @Test func `that of a job whose runner ended at once gets the number of the job`() throws {
    let number = try accepted("cccccccccccccccc")
    // As if it had ended before it could rename the copy, which a redo needs after the job has failed.
    let copy = paths.input(key: "cccccccccccccccc")
    try File.rename(paths.input(number), to: copy)
    _ = try RunnerStage(in: sandbox)
    #expect(File.exists(paths.input(number)))
    #expect(!File.exists(copy))
  }

  /// The number of a job that waits with this copy, after the end of its runner.
  private func accepted(_ key: String) throws -> JobNumber {
    let client = try RunnerStage(settings: #"{"slots": 1}"#, in: sandbox).connect()
    _ = try client.submit()
    _ = try writeOld(key)
    return try client.submit(key, identifier: "org.example.reader", input: .copied(bytes: 10))
  }
}

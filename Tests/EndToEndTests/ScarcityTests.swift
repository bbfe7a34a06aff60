import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// A temporary lack of resources for the runner.
@Suite struct ScarcityTests {
  private let workshop: Workshop
  private var home: String { workshop.sandbox.home }

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.define(
      "gated", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\necho went on\nexit 7")
  }

  /// Runs a shell script whose processes the modes of files bind, also when root runs the tests.
  private func bound(_ script: String) throws -> TestKit.ChildProcess.Finished {
    let capabilities = "-dac_override,-dac_read_search"
    let command = geteuid() == 0 ? ["setpriv", "--bounding-set", capabilities] : []
    return try workshop.sandbox.run(
      "/usr/bin/env", command + ["sh", "-c", script], environment: workshop.environment)
  }

  private func setMode(_ mode: mode_t, of folders: [String]) {
    for folder in folders { #expect(unsafe chmod("\(home)/state/\(folder)", mode) == 0) }
  }

  @Test func `read-only folders refuse submissions and leave running jobs alone`() throws {
    #expect(try bound("jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    let folders = ["runs", "logs", "state", ""]
    setMode(0o500, of: folders)
    let refused = try bound("jobrun submit gated --detach")
    #expect(refused.status == 73, "\(refused)")
    #expect(refused.errors.contains("\(home)/state/runs: Permission denied"), "\(refused)")
    let opened = try workshop.openGate()
    #expect(try bound("jobrun wait 1").status == 7)
    #expect(try workshop.jobrun("log", "1").output == "went on\n")
    // Its files cannot be removed now; they are removed later.
    let folder = "\(home)/state/state/1"
    try GroupedWorkshop.settle("the folder is told of") {
      try workshop.jobrun("runner", "status").output.contains("removed: cannot remove \(folder)")
    }
    setMode(0o700, of: folders)
    try WaitFor.noFile(folder)
    #expect(try bound("jobrun submit gated").status == 7)
    #expect(try RestartTests.runner(workshop) == runner)
    withExtendedLifetime(opened) {}
  }

  private func descriptors(of runner: Int32) throws -> Set<Int> {
    try Set(
      FileManager.default.contentsOfDirectory(atPath: "/proc/\(runner)/fd")
        .compactMap { Int($0) })
  }

  /// Waits until the runner has closed what it had opened for a job that has just started, and for
  /// clients that have left.
  private func awaitRest(of runner: Int32) throws {
    var client: ProtocolTests.RawClient? = try ProtocolTests.RawClient(workshop)
    // Before the second answer all is done that happened before the first question.
    for id in 1...2 {
      try client?.send("{\"v\":1,\"id\":\(id),\"op\":\"status\"}\n")
      #expect(try client?.line().contains("\"id\":\(id)") == true)
    }
    let open = try descriptors(of: runner).count
    client = nil
    try GroupedWorkshop.settle("the end of a connection") {
      try descriptors(of: runner).count < open
    }
  }

  /// Leaves the runner this many free descriptors; nil = as many as usual.
  private func leave(_ count: Int?, to runner: Int32) throws {
    if count != nil { try awaitRest(of: runner) }
    let open = try descriptors(of: runner)
    let free = (0...).lazy.filter { !open.contains($0) }.prefix((count ?? 0) + 1)
    let limit = try count == nil ? 1024 : #require(Array(free).last)
    let done = try workshop.sandbox.run("prlimit", ["--pid", "\(runner)", "--nofile=\(limit):"])
    #expect(done.status == 0, "\(done.errors)")
  }

  @Test func `a submission that the runner has no descriptor for is told that`() throws {
    #expect(try workshop.jobrun("submit", "gated", "--detach").status == 0)
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    // One for the connection, and none for its attachment.
    try leave(1, to: runner)
    let refused = try workshop.jobrun("submit", "gated", "--detach")
    #expect(refused.status == 73, "\(refused)")
    #expect(refused.errors.contains("as many files open as it may"), "\(refused)")
    try leave(nil, to: runner)
    #expect(try workshop.jobrun("submit", "gated", "--detach").status == 0)
    #expect(try RestartTests.runner(workshop) == runner)
  }

  /// A library has the machine run out of descriptors just then.
  @Test func `a runner that lacks something at its start is no fault of ours`() throws {
    let library = workshop.sandbox.path("none.so")
    try StubLibrary.build(
      text: """
        #include <errno.h>
        int epoll_create1(int flags) {
          errno = EMFILE;
          return -1;
        }
        """, at: library)
    let refused = try workshop.jobrun("list", environment: ["LD_PRELOAD": library])
    #expect(refused.status == 73, "\(refused)")
    #expect(refused.errors.contains("cannot make an event loop: Too many open files"), "\(refused)")
    #expect(try workshop.jobrun("list").status == 0)
  }

  @Test func `a machine that cannot be looked at is not one that lacks a GPU`() throws {
    #expect(try workshop.jobrun("submit", "gated", "--detach").status == 0)
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    // For the connection and its attachment, but not for the driver's helper.
    try leave(2, to: runner)
    for command in [["run", "--require", "gpu", "--detach", "--", "true"], ["resources"]] {
      let refused = try workshop.sandbox.run(
        "jobrun", command, environment: workshop.environment)
      #expect(refused.status == 73, "\(refused)")
      let isTold = refused.errors.contains("the machine cannot be examined: cannot make a pipe")
      #expect(isTold, "\(refused)")
    }
    try leave(nil, to: runner)
    #expect(try workshop.jobrun("resources").status == 0)
    #expect(try RestartTests.runner(workshop) == runner)
  }

  @Test func `a job that waited for its turn also waits for the folders to be writable`() throws {
    #expect(try bound("jobrun submit gated --detach && jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    setMode(0o500, of: ["runs"])
    let opened = try workshop.openGate()
    #expect(try bound("jobrun wait 1").status == 7)
    try WaitFor.file(home + "/state/runner.log", contains: "no job can be started")
    let job = try workshop.show(2)
    #expect(job.state == .launching)
    #expect(job.warning?.contains("Permission denied") == true, "\(job.warning ?? "")")
    setMode(0o700, of: ["runs"])
    #expect(try bound("jobrun wait 2").status == 7)
    #expect(try workshop.show(2).attempt == 1)
    withExtendedLifetime(opened) {}
  }

  @Test func `a job that cannot be started yet can be cancelled`() throws {
    #expect(try bound("jobrun submit gated --detach && jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    setMode(0o500, of: ["runs"])
    let opened = try workshop.openGate()
    try WaitFor.file(home + "/state/runner.log", contains: "no job can be started")
    #expect(try bound("jobrun cancel 2").status == 0)
    #expect(try bound("jobrun wait 2").status == 130)
    #expect(try workshop.show(2).warning == nil)
    setMode(0o700, of: ["runs"])
    withExtendedLifetime(opened) {}
  }

  @Test func `out of descriptors, it refuses in words and serves again when there are some`() throws
  {
    let started = try bound("ulimit -n 64; exec jobrun submit gated --detach")
    #expect(started.status == 0, "\(started)")
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    // 64 less 32 for itself and 4 for the slot.
    var clients: [ProtocolTests.RawClient] = []
    for id in 1...28 {
      let client = try ProtocolTests.RawClient(workshop)
      try client.send("{\"v\":1,\"id\":\(id),\"op\":\"status\"}\n")
      #expect(try client.line().contains("\"id\":\(id)"))
      clients.append(client)
    }
    for command in ["submit gated --detach", "list"] {
      let refused = try bound("jobrun \(command)")
      #expect(refused.status == 73, "\(refused)")
      #expect(refused.errors.contains("the most it may have open"), "\(refused)")
    }
    clients.removeAll()
    #expect(try bound("jobrun submit gated --detach").status == 0)
    let opened = try workshop.openGate()
    #expect(try bound("jobrun wait 1 2").status == 7)
    #expect(try RestartTests.runner(workshop) == runner)
    withExtendedLifetime(opened) {}
  }

  @Test func `whoever has gone makes room before somebody else is turned away`() throws {
    #expect(try bound("ulimit -n 64; exec jobrun list").status == 0)
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGSTOP)
    defer { kill(runner, SIGCONT) }
    for _ in 1...100 { _ = try ProtocolTests.RawClient(workshop) }
    let client = try ProtocolTests.RawClient(workshop)
    try client.send("{\"v\":1,\"id\":7,\"op\":\"status\"}\n")
    kill(runner, SIGCONT)
    #expect(try client.line().contains("\"id\":7,\"ok\""))
  }

  @Test func `pipes beside lines that never end take the room of connections`() throws {
    #expect(try bound("ulimit -n 64; exec jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    try awaitRest(of: runner)
    let before = try descriptors(of: runner).count
    let talker = try ProtocolTests.RawClient(workshop)
    func ask(_ id: Int) throws {
      try talker.send("{\"v\":1,\"id\":\(id),\"op\":\"status\"}\n")
      #expect(try talker.line().contains("\"id\":\(id)"))
    }
    let content = try MemoryFile.make([0x41])
    let pipe = Foundation.Pipe()
    var clients: [ProtocolTests.RawClient] = []
    for id in 1...40 {
      let client = try ProtocolTests.RawClient(workshop)
      clients.append(client)
      // A refused client gets an error.
      try? client.connection.sendAll(
        [0x20], passing: content.number, and: pipe.fileHandleForReading.fileDescriptor)
      try ask(id)
    }
    // The last client may have come with the last question: its pipe is looked at after the answer.
    try ask(41)
    #expect(
      try descriptors(of: runner).count - before <= 28, "that many connections it may have")
    clients.removeAll()
    #expect(try bound("jobrun submit gated --detach").status == 0)
    let opened = try workshop.openGate()
    #expect(try bound("jobrun wait 1 2").status == 7)
    withExtendedLifetime((opened, pipe)) {}
  }

  @Test func `where files may not grow it refuses in words`() throws {
    #expect(try workshop.jobrun("list").status == 0)
    let command = try bound("ulimit -f 0; exec jobrun submit gated --detach")
    #expect(command.status == 70, "\(command)")
    #expect(command.errors.contains("File too large"), "\(command)")
    #expect(try workshop.jobrun("runner", "stop").status == 0)
    // Room for the request, and none for the runner's database.
    let runner = try bound("ulimit -f 16; exec jobrun submit gated --detach")
    #expect(runner.status == 73, "\(runner)")
    #expect(runner.errors.contains("no space is left for the database"), "\(runner)")
    _ = try workshop.jobrun("runner", "stop")
    #expect(try workshop.jobrun("submit", "gated", "--detach").status == 0)
    #expect(try workshop.jobrun("cancel", "--all", "--now").status == 0)
  }

  @Test func `the home is removed under it: the job goes on, and the next command works`() throws {
    try workshop.define("lasting", "echo x > \"$READY.1\"\nread line < \"$GATE\"\necho > \"$DONE\"")
    let done = workshop.sandbox.path("done")
    _ = try workshop.submit("lasting", environment: ["DONE": done])
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    // In one step, so that the runner cannot recreate files meanwhile.
    try FileManager.default.moveItem(atPath: home + "/state", toPath: home + "/removed")
    try FileManager.default.removeItem(atPath: home + "/removed")
    try WaitFor.end(ofProcess: runner)
    let opened = try workshop.openGate()
    try WaitFor.file(done)
    #expect(try workshop.jobrun("submit", "gated").status == 7)
    withExtendedLifetime(opened) {}
  }

  @Test func `the runtime folder is removed under it: the next runner takes the job over`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    // In one step, so that the runner cannot recreate its socket meanwhile.
    try FileManager.default.moveItem(atPath: home + "/run", toPath: home + "/removed")
    try FileManager.default.removeItem(atPath: home + "/removed")
    try WaitFor.end(ofProcess: runner)
    #expect(try workshop.show(1).state == .running)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 7)
    withExtendedLifetime(opened) {}
  }
}

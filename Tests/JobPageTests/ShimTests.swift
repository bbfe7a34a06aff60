import JobPage
import LinuxSystem
import TestKit
import Testing

struct ShimTests {
  @Test(arguments: [0, 1, 63, 255] as [Int32])
  func `the worker's exit status is the record's`(_ code: Int32) throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, script: "exit \(code)")
    let started = try attempt.started()
    let ended = try attempt.ended()
    #expect(started.shim.pid == attempt.shim)
    #expect(ended.status == .exited(code))
    #expect(ended.endedMilliseconds >= ended.startedMilliseconds)
    let record = try attempt.record()
    #expect(record.started == started)
    #expect(record.ended == ended)
  }

  @Test func `a worker killed by a signal is recorded as that`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, script: "kill -SEGV $$")
    _ = try attempt.started()
    #expect(try attempt.ended().status == .signalled(11))
  }

  @Test func `the record says started before the worker's first act, with its pid`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, script: "cat 1.1; echo pid $$")
    let started = try attempt.started()
    _ = try attempt.ended()
    let lines = try attempt.log().split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first.map(String.init).flatMap(RunRecord.Line.init(parsing:)) == .started(started))
    #expect(lines.last == "pid \(started.worker.pid)")
  }

  @Test func `the worker gets its surroundings and nothing of the shim's`() throws {
    let scratch = try Scratch()
    let script = """
      ls /proc/self/fd | tr '\\n' ' '; readlink /proc/self/fd/0; pwd; env | grep -c .
      grep -E 'SigBlk|SigIgn' /proc/self/status | cut -f2 | sort -u
      echo to stderr >&2
      [ $(ps -o pgid= -p $$) = $$ ] && echo own group
      """
    let attempt = try Attempt(scratch.path, script: script)
    _ = try attempt.started()
    #expect(try attempt.ended().status == .exited(0))
    #expect(
      try attempt.log() == """
        0 1 2 3 /dev/null
        \(scratch.path)
        3
        0000000000000000
        to stderr
        own group

        """)
  }

  @Test func `a program that cannot be executed is told in the record and in the log`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, ["/nowhere/tool"])
    _ = try attempt.started()
    let ended = try attempt.ended()
    #expect(ended.status == .cannotStart(SystemError.notFound))
    #expect(ended.message == "cannot start /nowhere/tool: No such file or directory")
    #expect(try attempt.log() == ended.message + "\n")
  }

  @Test func `a folder that is gone and a log that cannot be made are told too`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, ["/bin/true"], directory: "/nowhere")
    let ended = try attempt.ended()
    #expect(ended.status == .cannotStart(SystemError.notFound))
    #expect(ended.message == "cannot enter the folder /nowhere: No such file or directory")

    let other = try Scratch()
    try File.makeDirectory(other.file("log"))
    let second = try Attempt(other.path, ["/bin/true"])
    #expect(try second.ended().message == "cannot open \(other.file("log")): Is a directory")
  }

  @Test func `processor time and memory of the whole tree are counted`() throws {
    let scratch = try Scratch()
    let busy = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"
    // The second one is waited for by the shim only: its parent leaves first.
    let attempt = try Attempt(scratch.path, script: "sh -c '\(busy)'; (sh -c '\(busy)' &) ; exit 0")
    _ = try attempt.started()
    let ended = try attempt.ended()
    #expect(ended.cpuMicroseconds > 10_000)
    #expect(ended.cpuMicroseconds < 30_000_000)
    #expect(ended.residentBytes > 500_000)
    #expect(ended.residentBytes < 1 << 30)
  }

  @Test func `two shims with the same order start one worker`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, script: "echo ran; exec sleep 1000")
    _ = try attempt.started()
    // It has started before its first instruction; killed then, it would have said nothing.
    try WaitFor.file(attempt.order.log, contains: "ran\n")
    var pipe = try Pipe()
    let second = try Attempt.start(attempt.order, pipe.takeWriting())
    #expect(try LinuxSystem.ChildProcess.wait(second).status == .exited(0))
    try attempt.signalShim(Signal.user1)
    #expect(try attempt.ended().status == .signalled(Signal.kill))
    // Its worker and its lock are gone, and still the attempt is not run again.
    var another = try Pipe()
    let third = try Attempt.start(attempt.order, another.takeWriting())
    #expect(try LinuxSystem.ChildProcess.wait(third).status == .exited(0))
    #expect(try attempt.log() == "ran\n")
  }

  @Test func `a revoked attempt never starts`() throws {
    let scratch = try Scratch()
    try RunRecordFile(path: scratch.file("1.1")).append(.revoked)
    let attempt = try Attempt(scratch.path, script: "echo ran")
    #expect(try attempt.waitForShim() == .exited(0))
    #expect(!File.exists(attempt.order.log))
    #expect(try attempt.record().started == nil)
  }

  @Test func `a shim that comes after its record was judged and removed begins nothing`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, script: "echo ran")
    _ = try attempt.started()
    _ = try attempt.ended()
    try File.remove(attempt.order.record)
    var pipe = try Pipe()
    let late = try Attempt.start(attempt.order, pipe.takeWriting())
    #expect(try LinuxSystem.ChildProcess.wait(late).status == .exited(71))
    #expect(try attempt.log() == "ran\n")
    #expect(!File.exists(attempt.order.record))
  }

  @Test(arguments: 6...12)
  func `a shim that lacks descriptors begins nothing, says so, and can be started again`(
    _ limit: Int
  ) throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, script: "echo ran", limits: "ulimit -n \(limit)")
    let status = try attempt.waitForShim()
    if status == .exited(0) {
      // There were enough; where that is depends on the runtime.
      #expect(limit > 6)
      return #expect(try attempt.log() == "ran\n")
    }
    #expect(status == .exited(LaunchOrder.heldExitCode))
    try Self.expectHeld(attempt, "Too many open files")
  }

  @Test func `so does one that may have no further process`() throws {
    let scratch = try Scratch()
    // Root has no limit: use another user, who may not be able to reach the build folder; and programs in
    // /dev/shm may not be executable.
    let folder = "/tmp/job-page-\(RandomBytes.hexadecimal(count: 8))"
    defer { try? File.removeTree(folder) }
    let other =
      "mkdir \(folder) && cp \"$0\" \(folder) && chown -R 65533 \(scratch.path) \(folder)"
      + " && exec setpriv --reuid=65533 --clear-groups prlimit --nproc=1:1 \(folder)/jobrun-shim"
    let limits =
      CurrentProcess.userIdentifier == 0 ? other : "exec prlimit --nproc=1:1 \"$0\""
    let attempt = try Attempt(scratch.path, script: "echo ran", limits: limits)
    #expect(try attempt.waitForShim() == .exited(LaunchOrder.heldExitCode))
    try Self.expectHeld(attempt, "Resource temporarily unavailable")
  }

  /// The attempt did not begin, for this reason, which no longer applies.
  private static func expectHeld(_ attempt: Attempt, _ reason: String) throws {
    guard case .held(let told) = try attempt.nextLine() else {
      throw Attempt.Missing(description: "the line is not `held`")
    }
    #expect(told.hasSuffix(reason), "\(told)")
    #expect(try attempt.record().isEmpty)
    var pipe = try Pipe()
    let again = try Attempt.start(attempt.order, pipe.takeWriting())
    #expect(try LinuxSystem.ChildProcess.wait(again).status == .exited(0))
    #expect(try attempt.log() == "ran\n")
  }

  @Test func `a shim waits for a record that takes nothing`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, script: "read line < gate; exit 7", gate: true)
    let worker = try ProcessDescriptor(attempt.started().worker)
    let shim = try ProcessDescriptor(attempt.shim)
    try Self.limitFiles(of: attempt.shim, to: "0:")
    try attempt.openGate()
    #expect(try Poll.wait(worker.number, until: generousDeadline()))
    // It stays, although it cannot write how its worker ended.
    #expect(try !Poll.wait(shim.number, until: AwakeClock.now() + 300_000_000))
    #expect(try attempt.record().ended == nil)
    try Self.limitFiles(of: attempt.shim, to: "unlimited:")
    #expect(try attempt.ended().status == .exited(7))
  }

  /// Sets how large another process's files may grow (prlimit(1)).
  private static func limitFiles(of pid: Int32, to limit: String) throws {
    let end = try LinuxSystem.ChildProcess.wait(
      LinuxSystem.Spawn(["/usr/bin/prlimit", "--pid", "\(pid)", "--fsize=\(limit)"]).start())
    #expect(end.status == .exited(0))
  }

  @Test func `an order that makes no sense starts nothing`() throws {
    let channel = try MemoryFile.make(Array("record=/x\0".utf8))
    var spawn = LinuxSystem.Spawn([try BuiltProducts.path("jobrun-shim")])
    spawn.descriptors = [.init(channel.number, as: 3)]
    #expect(try LinuxSystem.ChildProcess.wait(spawn.start()).status == .exited(65))
  }
}

import JobPage
import LinuxSystem
import TestKit
import Testing

struct ShimTreeTests {
  @Test func `TERM reaches the whole tree and the worker's own answer counts`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(
      scratch.path,
      script: """
        sh -c 'trap "echo child heard; exit 0" TERM; echo child ready; while :; do sleep 0.02; done' &
        trap 'echo heard; wait; exit 7' TERM
        while ! grep -q 'child ready' log; do sleep 0.02; done
        echo ready
        while :; do sleep 0.02; done
        """)
    _ = try attempt.started()
    _ = try WaitFor.file(attempt.order.log, contains: "\nready\n")
    try attempt.signalShim(Signal.terminate)
    #expect(try attempt.ended().status == .exited(7))
    let log = try attempt.log()
    #expect(log.contains("child heard"))
    #expect(log.contains("\nheard"))
  }

  @Test func `a worker that ignores TERM goes on until it is killed`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(
      scratch.path,
      script: """
        trap 'echo ignored' TERM; echo ready
        while :; do sleep 0.02; done
        """)
    let worker = try attempt.started().worker
    _ = try WaitFor.file(attempt.order.log, contains: "ready")
    try attempt.signalShim(Signal.terminate)
    _ = try WaitFor.file(attempt.order.log, contains: "ignored")
    #expect(worker.isAlive)
    try attempt.signalShim(Signal.user1)
    #expect(try attempt.ended().status == .signalled(Signal.kill))
    #expect(attempt.survivors().isEmpty)
  }

  @Test func `killing ends double forks, other sessions and stopped processes`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(
      scratch.path,
      script: """
        (setsid sh -c 'echo one; exec sleep 1000' &)
        (sh -c '(setsid sh -c "trap \\"\\" TERM HUP; echo two; sleep 1000; sleep 1000" &)' &)
        sh -c 'kill -STOP $$' &
        while [ $(grep -cE 'one|two' log) -lt 2 ]; do sleep 0.02; done
        echo ready; wait
        """)
    _ = try attempt.started()
    _ = try WaitFor.file(attempt.order.log, contains: "ready")
    let members = try attempt.survivors(atLeast: 4)
    try attempt.signalShim(Signal.user1)
    #expect(try attempt.ended().status == .signalled(Signal.kill))
    #expect(members.allSatisfy { !$0.isAlive })
    #expect(attempt.survivors().isEmpty)
  }

  @Test func `children that outlive the worker get TERM, and the status stays the worker's`() throws
  {
    let scratch = try Scratch()
    let attempt = try Attempt(
      scratch.path,
      script: """
        (setsid sh -c 'trap "echo left; exit 9" TERM; echo up; while :; do sleep 0.02; done' &)
        while ! grep -q up log; do sleep 0.02; done
        exit 3
        """)
    _ = try attempt.started()
    #expect(try attempt.ended().status == .exited(3))
    // The shell may add that its own child was terminated.
    #expect(try attempt.log().hasSuffix("left\n"))
    #expect(attempt.survivors().isEmpty)
  }

  @Test func `children that do not leave are killed after the grace`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(
      scratch.path,
      script: """
        (setsid sh -c 'trap "" TERM; echo up; while :; do sleep 0.02; done' &)
        while ! grep -q up log; do sleep 0.02; done
        """, grace: 150)
    _ = try attempt.started()
    let ended = try attempt.ended()
    #expect(ended.status == .exited(0))
    #expect(attempt.survivors().isEmpty)
  }

  /// Too quick to be found by looking: only a signal to its group reaches it.
  @Test func `a chain that forks its successor and leaves at once is ended`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(
      scratch.path,
      ["/usr/bin/perl", "-e", "print STDERR qq(ready\n); while (1) { fork and exit }"])
    _ = try attempt.started()
    _ = try WaitFor.file(attempt.order.log, contains: "ready")
    try attempt.signalShim(Signal.user1)
    _ = try attempt.ended()
    #expect(attempt.survivors().isEmpty)
  }

  @Test func `a chain in a session of its own is ended, too`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(
      scratch.path,
      script: "setsid perl -e 'print STDERR qq(ready\n); while (1) { fork and exit }'; sleep 1000")
    _ = try attempt.started()
    _ = try WaitFor.file(attempt.order.log, contains: "ready")
    try attempt.signalShim(Signal.user1)
    #expect(try attempt.ended().status == .signalled(Signal.kill))
    #expect(attempt.survivors().isEmpty)
  }

  @Test func `the shim outlives whoever listened`() throws {
    let scratch = try Scratch()
    let order = LaunchOrder(
      record: scratch.file("1.1"), page: scratch.file("page"), log: scratch.file("log"),
      stateDirectory: scratch.path, token: RandomBytes.hexadecimal(count: 16),
      graceMilliseconds: 1000,
      specification: LaunchSpecification(
        directory: Array("/".utf8), arguments: ["/bin/sh", "-c", "exit 5"].map { Array($0.utf8) },
        environment: []))
    _ = try RunRecordFile(path: order.record)
    var pipe = try Pipe()
    _ = pipe.takeReading()  // closed at once: every write to the other end is refused
    let shim = try Attempt.start(order, pipe.takeWriting())
    #expect(try LinuxSystem.ChildProcess.wait(shim).status == .exited(0))
    #expect(try RunRecordFile(path: order.record).read().ended?.status == .exited(5))
  }

  @Test func `a killed shim takes its worker along and leaves a record without an end`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, script: "echo ready; exec sleep 1000")
    let worker = try attempt.started().worker
    let process = try ProcessDescriptor(worker)
    try attempt.signalShim(Signal.kill)
    #expect(try attempt.waitForShim() == .signalled(Signal.kill))
    #expect(try Poll.wait(process.number, until: generousDeadline()))
    let record = try attempt.record()
    #expect(record.started?.worker == worker)
    #expect(record.ended == nil)
    #expect(try RunRecordFile(path: attempt.order.record).tryLock())
  }

  @Test func `the record is locked as long as anything of the attempt lives`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, script: "exec sleep 1000")
    _ = try attempt.started()
    #expect(try !RunRecordFile(path: attempt.order.record).tryLock())
    try attempt.signalShim(Signal.user1)
    _ = try attempt.ended()
    #expect(try RunRecordFile(path: attempt.order.record).tryLock())
  }
}

import JobCore
import Testing

/// Jobs that come after others.
@Suite struct AfterTests {
  @Test func `a job starts once all that it comes after have succeeded`() {
    Scenario.play(
      """
      slots 3
      0s  submit a               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b               | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit c after=1+2     | 3 submitted after, accepted 3
          why 3                  | waits for jobs 1 and 2 to succeed
          show 3                 | queued after
          finished 2             | 2 ended succeeded
          why 3                  | waits for job 1 to succeed
          finished 1             | 1 ended succeeded, 3 queued slots, 3 launched, launch 3.1
          finished 3             | 3 ended succeeded
          next                   | none
      """)
  }

  @Test func `a job that waits for another takes nobody's turn`() {
    Scenario.play(
      """
      slots 1
      0s  submit a               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b               | 2 submitted slots, accepted 2
          submit c after=2       | 3 submitted after, accepted 3
          submit d               | 4 submitted slots, accepted 4
          queue                  | 2 4 3
          finished 1             | 1 ended succeeded, 2 launched, launch 2.1
          finished 2             | 2 ended succeeded, 3 queued slots, 3 launched, launch 3.1
          finished 3             | 3 ended succeeded, 4 launched, launch 4.1
      """)
  }

  @Test(arguments: [
    ("finished 1 exit=3", "1 ended failed", "failed"),
    ("cancel 1", "1 ended cancelled user", "was cancelled"),
    ("finished 1 lost", "1 ended interrupted supervisorLost", "was interrupted"),
  ])
  func `what did not succeed takes all that comes after it with it`(
    event: String, end: String, fate: String
  ) {
    let isCancel = event.hasPrefix("cancel")
    let begin =
      isCancel
      ? "submit a at=1h             | 1 submitted notBefore, accepted 1"
      : "submit a                   | 1 submitted slots, 1 launched, accepted 1, launch 1.1"
    let reply = isCancel ? ", done 1" : ""
    Scenario.play(
      """
      slots 1
      0s  clock 0s               |
          \(begin)
          submit b after=1       | 2 submitted after, accepted 2
          submit c after=2       | 3 submitted after, accepted 3
          submit d after=2+3     | 4 submitted after, accepted 4
          \(event)               | \(end), 2 ended refused dependency, 3 ended refused dependency,
                                 | 4 ended refused dependency\(reply)
          said                   | job 2, which it depends on, was refused
          submit e after=1:\(end.split(separator: " ")[2]) | refused unavailable
          said                   | job 1, which it depends on, \(fate)
      """)
  }

  @Test func `a job that is tried again or comes back later has not ended`() {
    Scenario.play(
      """
      0s  submit a retries=1       | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b after=1         | 2 submitted after, accepted 2
          finished 1 exit=1        | 1 queued retry
          why 2                    | waits for job 1 to succeed
      1s  deadline                 | 1 queued slots, 1 launched, launch 1.2
          finished 1.2 deferred=5s | 1 queued notBefore
      6s  deadline                 | 1 queued slots, 1 launched, launch 1.3
          finished 1.3             | 1 ended succeeded, 2 queued slots, 2 launched, launch 2.1
      """)
  }

  @Test func `what has ended is judged at once`() {
    Scenario.play(
      """
      0s  submit a after=7:succeeded           | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b after=7:succeeded+8:expired | refused unavailable
          said                                 | job 8, which it depends on, expired
          submit c after=9                     | refused unavailable
          said                                 | job 9, which it depends on, is no longer kept
          submit d after=1+7:succeeded         | 2 submitted after, accepted 2
          submit e fail after=1                | refused immediateRunIneligible
          said                                 | it would have to wait for job 1 to succeed; submit with --strategy queue to wait
          submit f fail after=7:succeeded      | 3 submitted slots, 3 launched, accepted 3, launch 3.1
      """)
  }

  @Test func `whoever is replaced has not succeeded, and nobody replaces what they wait for`() {
    Scenario.play(
      """
      slots 1
      0s  submit a                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b                 | 2 submitted slots, accepted 2
          submit c after=2         | 3 submitted after, accepted 3
          submit b after=2         | refused alreadyRunning
          said                     | job 2 has the identifier test.b too, and would be replaced by the job that is to come after it; give that one another identifier
          submit b after=3         | refused alreadyRunning
          submit a replace after=1 | refused alreadyRunning
          submit b                 | 2 ended cancelled superseded, 4 submitted slots, 3 ended refused dependency, accepted 4
          submit c after=4         | 5 submitted after, accepted 5
          submit c                 | 5 ended cancelled superseded, 6 submitted slots, accepted 6
          finished 1               | 1 ended succeeded, 4 launched, launch 4.1
          finished 4               | 4 ended succeeded, 6 launched, launch 6.1
      """)
  }

  @Test func `a replacement waits for the one before it and for what it comes after`() {
    Scenario.play(
      """
      0s  submit a                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b                 | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit a replace after=2 | 1 stopping superseded by 10s, 3 submitted after, accepted 3, stop 1 superseded by 10s
          why 3                    | waits for job 1 to stop
          finished 1               | 1 ended cancelled superseded, 3 queued after
          why 3                    | waits for job 2 to succeed
          finished 2 exit=1        | 2 ended failed, 3 ended refused dependency
      """)
  }

  @Test func `its own time comes after the others' ends`() {
    Scenario.play(
      """
      0s  clock 0s               |
          submit a               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b after=1 at=9s | 2 submitted after, accepted 2
          alarm                  | none
          simulate launch 2      | refused unavailable
          said                   | job 2 waits for job 1 to succeed
          finished 1             | 1 ended succeeded, 2 queued notBefore
          alarm                  | 9s
      9s  clock 9s               | 2 queued slots, 2 launched, launch 2.1
      """)
  }

  @Test
  func `a stop of the runner that discards the queue interrupts what waits for what it stops`() {
    Scenario.play(
      """
      0s  submit a               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b after=1       | 2 submitted after, accepted 2
          shutdown discard       | 1 stopping runnerStop by 10s, 2 ended interrupted runnerStop, stop 1 runnerStop by 10s
          finished 1             | 1 ended interrupted runnerStop
      """)
  }

  @Test func `restored jobs wait for those that are still live, in whatever order they come`() {
    Scenario.play(
      """
      slots 1
      0s  restore 9 d queued after=8     |
          restore 8 c queued after=6+7   |
          restore 6 a running            |
          deadline                       |
          why 8                          | waits for job 6 to succeed
          why 9                          | waits for job 8 to succeed
          finished 6                     | 6 ended succeeded, 8 queued slots, 8 launched, launch 8.1
          finished 8                     | 8 ended succeeded, 9 queued slots, 9 launched, launch 9.1
      """)
    Scenario.play(
      """
      slots 1
      0s  restore 2 b queued after=1     |
          deadline                       | 2 launched, launch 2.1
      """)
  }

  @Test func `what fails while it is restored refuses those that wait`() {
    Scenario.play(
      """
      0s  restore 1 a running            |
          restore 2 b queued after=1     |
          finished 1 exit=1              | 1 ended failed, 2 ended refused dependency
      """)
  }

  @Test func `a redone job waits for what is live again`() {
    Scenario.play(
      """
      0s  submit a                   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b after=1           | 2 submitted after, accepted 2
          finished 1 exit=1          | 1 ended failed, 2 ended refused dependency
          redo 1 a                   | 1 queued slots, 1 launched, done 1, launch 1.2
          redo 2 b attempt=1 after=1 | 2 queued after, done 2
          finished 1.2               | 1 ended succeeded, 2 queued slots, 2 launched, launch 2.1
          finished 2 exit=1          | 2 ended failed
          redo 2 b after=1           | 2 queued slots, 2 launched, done 2, launch 2.2
      """)
  }

  @Test func `a chain of very many ends without running out of stack`() {
    var core = Scheduler(configuration: .init(slots: 1), firstNumber: JobNumber(1))
    let count: UInt64 = 100_000
    for number in 1...count {
      guard let identifier = JobIdentifier("test.\(number)") else { continue }
      var submission = Submission(key: "\(number)", identifier: identifier, speaksPage: true)
      if number > 1 { submission.after = [Prerequisite(JobNumber(number - 1))] }
      _ = core.handle(.submit(RequestTag(number), submission), at: Instant(nanoseconds: 0))
    }
    let end = RunEnd(status: .exited(1))
    let effects = core.handle(
      .finished(JobNumber(1), attempt: 1, end), at: Instant(nanoseconds: 1))
    #expect(effects.count == Int(count))
    #expect(core.queuedCount == 0)
  }

  @Test func `of several one that succeeds is enough, and none is a refusal`() {
    Scenario.play(
      """
      slots 2
      0s  submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b                  | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit c one=1+2          | 3 submitted after, accepted 3
          why 3                     | waits for one of jobs 1 and 2 to succeed
          submit d one=1+2          | 4 submitted after, accepted 4
          cancel 4                  | 4 ended cancelled user, done 4
      1s  finished 1 exit=1         | 1 ended failed
          why 3                     | waits for job 2 to succeed
          finished 2                | 2 ended succeeded, 3 queued slots, 3 launched, launch 3.1
          submit e one=1:failed+2:succeeded | 5 submitted slots, 5 launched, accepted 5, launch 5.1
          submit f one=1:failed     | refused unavailable
          said                      | job 1, which it depends on, has not succeeded
      2s  finished 3 exit=1         | 3 ended failed
          submit g one=1:failed+5   | 6 submitted after, accepted 6
          finished 5 exit=1         | 5 ended failed, 6 ended refused dependency
      """)
  }
}

import JobCore
import Testing

/// Jobs that only wait for the end of others, and redone ones after a failure.
@Suite struct AfterAnyTests {
  @Test(arguments: [
    ("finished 1", "1 ended succeeded"), ("finished 1 exit=3", "1 ended failed"),
    ("finished 1 lost", "1 ended interrupted supervisorLost"),
  ])
  func `any end will do`(event: String, end: String) {
    Scenario.play(
      """
      slots 1
      0s  submit a        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b any=1  | 2 submitted after, accepted 2
          why 2           | waits for job 1 to end
          \(event)        | \(end), 2 queued slots, 2 launched, launch 2.1
      """)
  }

  @Test func `a job may need the success of one and any end of another`() {
    Scenario.play(
      """
      slots 3
      0s  submit a                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b                 | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit c after=1 any=2   | 3 submitted after, accepted 3
          why 3                    | waits for job 1 to succeed and job 2 to end
          finished 2 exit=1        | 2 ended failed
          why 3                    | waits for job 1 to succeed
          submit d fail any=1      | refused immediateRunIneligible
          said                     | it would have to wait for job 1 to end; submit with --strategy queue to wait
          finished 1 exit=1        | 1 ended failed, 3 ended refused dependency
          said                     | job 1, which it depends on, failed
          submit e any=1:failed    | 4 submitted slots, 4 launched, accepted 4, launch 4.1
          submit f any=9           | 5 submitted slots, 5 launched, accepted 5, launch 5.1
      """)
  }

  @Test func `a refusal is an end, too, and what is cancelled takes nobody with it`() {
    Scenario.play(
      """
      slots 1
      0s  submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b after=1 | 2 submitted after, accepted 2
          submit c any=2   | 3 submitted after, accepted 3
          finished 1 exit=1 | 1 ended failed, 2 ended refused dependency, 3 queued slots, 3 launched,
                           | launch 3.1
          submit d         | 4 submitted slots, accepted 4
          submit e any=4   | 5 submitted after, accepted 5
          cancel 4         | 4 ended cancelled user, 5 queued slots, done 4
      """)
  }

  @Test func `what comes after a failed job is not done again unless it is forced`() {
    Scenario.play(
      """
      0s  redo 2 b after=1:failed              | refused unavailable
          said                                 | job 1, which it comes after, failed; --force runs it anyway
          redo 2 b after=1:refused             | refused unavailable
          said                                 | job 1, which it comes after, was refused; --force runs it anyway
          redo 2 b after=1:failed force        | 2 queued slots, 2 launched, done 2, launch 2.2
          redo 3 c any=1:failed                | 3 queued slots, 3 launched, done 3, launch 3.2
          finished 2.2                         | 2 ended succeeded
          redo 4 d after=1:succeeded           | 4 queued slots, 4 launched, done 4, launch 4.2
      """)
  }

  @Test func `it waits for the prerequisite that is done again`() {
    Scenario.play(
      """
      slots 2
      0s  redo 1 a                  | 1 queued slots, 1 launched, done 1, launch 1.2
          redo 2 b after=1          | 2 queued after, done 2
          why 2                     | waits for job 1 to succeed
          redo 3 c after=1 force    | 3 queued slots, 3 launched, done 3, launch 3.2
          finished 1.2              | 1 ended succeeded, 2 queued slots, 2 launched, launch 2.2
      """)
  }

  @Test func `a failed job waits as long as was asked before each next attempt`() {
    Scenario.play(
      """
      0s  submit a retries=2 every=7s | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          finished 1 exit=1           | 1 queued retry
          why 1                       | attempt 1 of 3 failed; the next one starts in 7 s
          next                        | 7s
      7s  deadline                    | 1 queued slots, 1 launched, launch 1.2
          finished 1.2 exit=1         | 1 queued retry
          next                        | 14s
      14s deadline                    | 1 queued slots, 1 launched, launch 1.3
          finished 1.3 exit=1         | 1 ended failed
      """)
  }

  @Test func `an edit names those that only have to end, beside those that must succeed`() {
    Scenario.play(
      """
      slots 3
      0s  submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b any=1            | 2 submitted after, accepted 2
          submit c after=1 any=2    | 3 submitted after, accepted 3
          edit 3 any=none           | 3 edited after, done 3
          why 3                     | waits for job 1 to succeed
          edit 2 any=none           | 2 edited slots, 2 launched, done 2, launch 2.1
          edit 3 any=2              | 3 edited after, done 3
          edit 3 after=none         | 3 edited after, done 3
          finished 2 exit=1         | 2 ended failed, 3 queued slots, 3 launched, launch 3.1
      """)
  }
}

import JobCore
import Testing

@Suite struct OutcomeTests {
  /// The outcome of a definition's job, by its declaration and its worker's status.
  @Test(arguments: [
    ("exit=0", "ended succeeded"), ("exit=0 success", "ended succeeded"),
    ("exit=0 failure", "ended failed"), ("exit=3", "ended failed"), ("signal=9", "ended failed"),
    ("exit=3 success", "ended failed"), ("signal=15 success", "ended failed"),
    ("cannot", "ended failed"), ("lost", "ended interrupted supervisorLost"),
    ("lost success 10/10", "ended succeeded"),
    ("lost success 9/10", "ended interrupted supervisorLost"),
    ("lost success", "ended interrupted supervisorLost"),
    ("lost 10/10", "ended interrupted supervisorLost"),
    ("reboot", "ended interrupted reboot"), ("signal=9 deferred=5s", "ended failed"),
  ])
  func `the end of a definition's job`(end: String, outcome: String) {
    Scenario.play(
      """
      0s submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         started 1        | 1 started
         finished 1 \(end) | 1 \(outcome)
      """)
  }

  /// A plain command is judged by its status, regardless of its page.
  @Test(arguments: [
    ("exit=0 failure", "ended succeeded"), ("exit=1 success", "ended failed"),
    ("signal=11", "ended failed"), ("exit=0 deferred=5s", "ended succeeded"),
    ("lost success 10/10", "ended interrupted supervisorLost"),
  ])
  func `the end of a plain command`(end: String, outcome: String) {
    Scenario.play(
      """
      0s submit a plain   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         started 1        | 1 started
         finished 1 \(end) | 1 \(outcome)
      """)
  }

  @Test(arguments: [
    ("exit=0", "ended cancelled user"), ("exit=0 success", "ended cancelled user"),
    ("exit=0 success 9/10", "ended cancelled user"), ("exit=0 10/10", "ended cancelled user"),
    ("exit=0 success 10/10", "ended succeeded"), ("exit=1", "ended cancelled user"),
    ("exit=0 deferred=5s", "ended cancelled user"), ("lost", "ended cancelled user"),
    ("reboot", "ended cancelled user"),
  ])
  func `after a stop only a declared and complete success is one`(end: String, outcome: String) {
    Scenario.play(
      """
      0s submit a resumable retries=3   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         started 1                      | 1 started
         cancel 1                       | 1 stopping user by 10s, done 1, stop 1 user by 10s
         finished 1 \(end)              | 1 \(outcome)
      """)
  }

  @Test func `a deferred job comes back after its delay, before those that came later`() {
    Scenario.play(
      """
      slots 1
      0s  submit a                | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b                | 2 submitted slots, accepted 2
          submit c                | 3 submitted slots, accepted 3
      1s  finished 1 deferred=30s | 1 queued notBefore, 2 launched, launch 2.1
          why 1                   | it asked to be retried in 30 s
          queue                   | 3 1
          show 1                  | queued notBefore attempt 2
          next                    | 31s
      31s deadline                | 1 queued slots
          queue                   | 1 3
          finished 2              | 2 ended succeeded, 1 launched, launch 1.2
          finished 1              |
          finished 1.2 deferred=0s | 1 queued slots, 1 launched, launch 1.3
      """)
  }

  @Test func `a failed job is tried again with growing distance, as often as was asked for`() {
    Scenario.play(
      """
      0s   submit a retries=2       | 1 submitted slots, 1 launched, accepted 1, launch 1.1
      1s   finished 1 exit=1        | 1 queued retry
           why 1                    | attempt 1 of 3 failed; the next one starts in 1 s
           next                     | 2s
      2s   deadline                 | 1 queued slots, 1 launched, launch 1.2
      3s   finished 1.2 deferred=1s | 1 queued notBefore
      4s   deadline                 | 1 queued slots, 1 launched, launch 1.3
      5s   finished 1.3 signal=9    | 1 queued retry
           next                     | 7s
      7s   deadline                 | 1 queued slots, 1 launched, launch 1.4
           finished 1.4 cannot      | 1 ended failed
      """)
  }

  @Test func `only a resumable job survives a reboot, and none the death of its supervisor`() {
    Scenario.play(
      """
      0s submit a resumable   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         finished 1 reboot    | 1 queued slots, 1 launched, launch 1.2
         finished 1.2 lost    | 1 ended interrupted supervisorLost
      """)
  }

  @Test func `ends of other attempts, of strangers and of waiting jobs mean nothing`() {
    Scenario.play(
      """
      slots 1
      0s submit a        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b        | 2 submitted slots, accepted 2
         finished 1.2    |
         finished 2      |
         finished 9      |
         started 1.2     |
         started 2       |
         started 9       |
         sampled 2 1/2   |
         sampled 9 1/2   |
         started 1       | 1 started
         started 1       |
         finished 1      | 1 ended succeeded, 2 launched, launch 2.1
         finished 1      |
      """)
  }
}

import JobCore
import Testing

/// Many jobs of one submission that end with the first failure, with or without a client.
@Suite struct HaltTests {
  @Test func `the first that fails cancels what is left of its submission, and no other job`() {
    Scenario.play(
      """
      slots 2
      0s  batch a count=4 halts   | 1 submitted slots, 1 launched, 2 submitted slots, 2 launched,
                                  | 3 submitted slots, 4 submitted slots, accepted 1 and 3 more,
                                  | launch 1.1, launch 2.1
          batch b count=2 halts   | 5 submitted slots, 6 submitted slots, accepted 5 and 1 more
          started 1               | 1 started
      1s  finished 2 exit=3       | 2 ended failed, 4 ended cancelled user, 3 ended cancelled user,
                                  | 1 stopping user by 11s, 5 launched, stop 1 user by 11s,
                                  | launch 5.1
          finished 1 exit=1       | 1 ended cancelled user, 6 launched, launch 6.1
      """)
  }

  @Test func `an attempt that is tried again is no failure, and one that was cancelled neither`() {
    Scenario.play(
      """
      slots 1
      0s  batch a count=3 halts retries=1 every=5s | 1 submitted slots, 1 launched, 2 submitted slots,
                                  | 3 submitted slots, accepted 1 and 2 more, launch 1.1
      1s  finished 1 exit=1       | 1 queued retry, 2 launched, launch 2.1
          cancel 3                | 3 ended cancelled user, done 3
      6s  deadline                | 1 queued slots
      7s  finished 2              | 2 ended succeeded, 1 launched, launch 1.2
          finished 1.2 exit=1     | 1 ended failed
      """)
  }

  @Test func `what the runner interrupts has not failed`() {
    Scenario.play(
      """
      slots 1
      0s  batch a count=2 halts   | 1 submitted slots, 1 launched, 2 submitted slots,
                                  | accepted 1 and 1 more, launch 1.1
          shutdown discard        | 1 stopping runnerStop by 10s, 2 ended interrupted runnerStop,
                                  | stop 1 runnerStop by 10s
      """)
  }

  @Test func `soon cancels what waits and lets go on what runs`() {
    Scenario.play(
      """
      slots 2
      0s  batch a count=4 halts soon | 1 submitted slots, 1 launched, 2 submitted slots, 2 launched,
                                  | 3 submitted slots, 4 submitted slots, accepted 1 and 3 more,
                                  | launch 1.1, launch 2.1
          finished 2 exit=3       | 2 ended failed, 4 ended cancelled user, 3 ended cancelled user
          finished 1              | 1 ended succeeded
      """)
  }

  @Test func `so many have to fail, and one that succeeds may be enough`() {
    Scenario.play(
      """
      slots 1
      0s  batch a count=4 halts failures=2 | 1 submitted slots, 1 launched, 2 submitted slots,
                                  | 3 submitted slots, 4 submitted slots, accepted 1 and 3 more,
                                  | launch 1.1
          finished 1 exit=1       | 1 ended failed, 2 launched, launch 2.1
          finished 2 exit=1       | 2 ended failed, 4 ended cancelled user, 3 ended cancelled user
          batch b count=2 halts untilsuccess | 5 submitted slots, 5 launched, 6 submitted slots,
                                  | accepted 5 and 1 more, launch 5.1
          finished 5              | 5 ended succeeded, 6 ended cancelled user
      """)
  }
}

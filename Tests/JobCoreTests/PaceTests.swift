import JobCore
import Testing

/// Many jobs of one submission that start one after another, with a pause in between.
@Suite struct PaceTests {
  @Test func `the next of a submission starts after the pause, and others need not wait`() {
    Scenario.play(
      """
      slots 3
      0s  batch a count=3 apart=5s | 1 submitted slots, 1 launched, 2 submitted pace, 3 submitted pace,
                                  | accepted 1 and 2 more, launch 1.1
          submit b                | 4 submitted slots, 4 launched, accepted 4, launch 4.1
          why 2                   | the jobs that were submitted with it start 5 s apart
          next                    | 5s
      3s  finished 1              | 1 ended succeeded
          next                    | 5s
      5s  deadline                | 2 launched, launch 2.1
          next                    | 10s
      10s deadline                | 3 launched, launch 3.1
      11s finished 2              | 2 ended succeeded
          finished 3              | 3 ended succeeded
          finished 4              | 4 ended succeeded
          next                    | none
      """)
  }

  @Test func `a slot is waited for beyond the pause, and two submissions do not slow each other`() {
    Scenario.play(
      """
      slots 1
      0s  batch a count=2 apart=2s | 1 submitted slots, 1 launched, 2 submitted pace,
                                  | accepted 1 and 1 more, launch 1.1
      2s  deadline                | 2 queued slots
          batch b count=2 apart=9s | 3 submitted slots, 4 submitted slots, accepted 3 and 1 more
      7s  finished 1              | 1 ended succeeded, 2 launched, launch 2.1
      8s  finished 2              | 2 ended succeeded, 3 launched, 4 queued pace, launch 3.1
          finished 3              | 3 ended succeeded
      17s deadline                | 4 launched, launch 4.1
      """)
  }

  @Test func `the pause after a start of an earlier runner is kept`() {
    Scenario.play(
      """
      slots 2
      1s  restore 1 a running apart=9s  |
      2s  restore 2 a2 queued apart=9s  |
      3s  deadline                      | 2 queued pace
      10s deadline                      | 2 launched, launch 2.1
      """)
  }
}

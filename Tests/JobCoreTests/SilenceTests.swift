import JobCore
import Testing

@Suite struct SilenceTests {
  @Test func `silence is warned of at two thirds and expires after two looks`() {
    Scenario.play(
      """
      0s   submit a silent=120s stall=1h  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                      | 1 started
           next                           | 30s
      80s  deadline                       | sample 1
           sampled 1                      | 1 warned
           why 1                          | no sign of life for 80 s; after 2 min of silence the job is stopped
      120s deadline                       | sample 1
           sampled 1                      |
      121s deadline                       | sample 1
           sampled 1                      | 1 stopping silent by 131s, stop 1 silent by 131s
           said                           | it gave no sign of life for 2 min
      125s finished 1 signal=15           | 1 ended expired silent
      """)
  }

  @Test func `any report clears the warning, and only an advance is announced`() {
    Scenario.play(
      """
      0s   submit a silent=30s stall=1h  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                     | 1 started
      20s  deadline                      | sample 1
           sampled 1                     | 1 warned
      25s  sampled 1 text=2              |
           why 1                         | nothing
           next                          | 32.5s
      45s  sampled 1 text=2              | 1 warned
      46s  sampled 1 1/9 text=2          | 1 advanced
      """)
  }

  @Test func `a late runner does not expire a job on its first look`() {
    Scenario.play(
      """
      0s    submit a silent=30s stall=1h  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                     | 1 started
      500s  deadline                      | sample 1
            sampled 1                     | 1 warned
      500.9s sampled 1                    |
      501s  sampled 1 reports=1           |
            show 1                        | running
            next                          | 508.5s
      """)
  }

  @Test func `never means never, and a quiet phase counts from its end`() {
    Scenario.play(
      """
      0s   submit a onstall=continue       | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                       | 1 started
           next                            | none
           submit b silent=30s stall=1h    | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 2                       | 2 started
      1s   sampled 2 quiet=600s            |
           next                            | 607.5s
      """)
  }

  @Test func `a growing log is a sign of life of a plain command only`() {
    Scenario.play(
      """
      0s   submit a silent=30s stall=1h plain  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                           | 1 started
      20s  sampled 1 log=10                    |
           next                                | 27.5s
      0s   submit b silent=30s stall=1h        | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 2                           | 2 started
      40s  sampled 1 log=20                    |
           sampled 2 log=10                    | 2 warned
      """)
  }

  @Test func `an unanswered look is asked for again, not at once`() {
    Scenario.play(
      """
      0s   submit a silent=30s stall=1h  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                     | 1 started
      20s  deadline                      | sample 1
           deadline                      |
           next                          | 21s
      21s  deadline                      | sample 1
      """)
  }

  @Test func `the limit counts from the start, over all attempts`() {
    Scenario.play(
      """
      0s    submit a limit=1h onstall=continue  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
      10s   started 1                           | 1 started
            next                                | 3610s
      1000s finished 1 deferred=10s             | 1 queued notBefore
      1010s deadline                            | 1 queued slots, 1 launched, launch 1.2
      1020s started 1.2                         | 1 started
            next                                | 3630s
      3630s deadline                            | 1 stopping limit by 3640s, stop 1 limit by 3640s
            said                                | it reached its limit of 1 h
            finished 1.2                        | 1 ended expired limit
      """)
  }

  @Test func `simulated expiry stops as silence does`() {
    Scenario.play(
      """
      slots 1
      0s   submit a             | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           simulate expire 1    | refused unavailable
           said                 | job 1 is not running yet; only a running job can stall or fall silent
           started 1            | 1 started
           submit b             | 2 submitted slots, accepted 2
           simulate expire 2    | refused unavailable
           simulate expire 1    | 1 stopping silent by 10s, done 1, stop 1 silent by 10s
           simulate expire 1    | already stopping 1
           simulate stall 9     | not live 9
      """)
  }
}

import JobCore
import Testing

@Suite struct RestoreTests {
  @Test func `jobs of an earlier runner go on, and the queue with them`() {
    Scenario.play(
      """
      slots 1
      0s  restore 7 c queued                           |
          restore 5 a running gpu holds=0 3/10         |
          restore 6 b queued attempt=2                 |
          show 5                                       | running on 0
          queue                                        | 6 7
          next                                         | 0s
          deadline                                     |
          next                                         | 7.5s
          submit d                                     | 8 submitted slots, accepted 8
          why 8                                        | the only slot is taken by job 5
      1s  finished 5                                   | 5 ended succeeded, 6 launched, launch 6.2
          finished 6.2                                 | 6 ended succeeded, 7 launched, launch 7.1
      """)
  }

  @Test func `more jobs than slots keep theirs until they end`() {
    Scenario.play(
      """
      slots 1
      0s  restore 1 a running    |
          restore 2 b running    |
          restore 3 c queued     |
          deadline               |
          why 3                  | the only slot is taken by jobs 1 and 2
          finished 1             | 1 ended succeeded
          finished 2             | 2 ended succeeded, 3 launched, launch 3.1
      """)
  }

  @Test func `a replacement still waits for the one that it replaces, in whatever order they come`()
  {
    Scenario.play(
      """
      0s  restore 2 a queued     |
          restore 1 a stopping   |
          deadline               |
          show 2                 | queued after
          restore 3 b stopping   |
          restore 4 b queued     |
          show 4                 | queued after
          submit b keep          | kept 4
      1s  finished 3             | 3 ended cancelled user, 4 queued slots, 4 launched, launch 4.1
      10s deadline               | kill 1
          finished 1 signal=9    | 1 ended cancelled user, 2 queued slots, 2 launched, launch 2.1
      """)
  }

  @Test func `an open prompt stays open`() {
    Scenario.play(
      """
      slots 1
      0s   restore 1 a stalled 3/10   |
           restore 2 b queued         |
           show 1                     | stalled
      1s   sampled 1 4/10             | 1 answered
           simulate stall 1           | 1 stalled, 1 prompt, done 1
           yes 1                      | 1 answered, done 1
      """)
  }

  @Test func `a job that is there already is not restored over, and number 0 is none`() {
    Scenario.play(
      """
      0s  submit a              | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          restore 1 b queued    |
          restore 0 c queued    |
          show 1                | launching
          show 0                | not live
          queue                 |
      """)
  }

  @Test func `a job that waited for a time waits for what is left of it`() {
    Scenario.play(
      """
      5s  restore 1 a delayed until=8s attempt=2   |
          why 1                                    | attempt 1 failed
          deadline                                 |
          next                                     | 8s
          cancel 1                                 | 1 ended cancelled user, done 1
          restore 2 b delayed until=2s attempt=3   |
          next                                     | 2s
          deadline                                 | 2 queued slots, 2 launched, launch 2.3
      """)
  }

  @Test func `failures and time of earlier attempts count on`() {
    Scenario.play(
      """
      slots 1
      20s restore 1 a queued attempt=3 failures=1 retries=2              | 
          restore 2 b running limit=30s spent=10s since=15s              |
          deadline                                                       |
          next                                                           | 35s
      35s deadline                                                       | 2 stopping limit by 45s, stop 2 limit by 45s
      36s finished 2 signal=9                                            | 2 ended expired limit, 1 launched, launch 1.3
      37s finished 1.3 exit=1                                            | 1 queued retry
          next                                                           | 39s
      39s deadline                                                       | 1 queued slots, 1 launched, launch 1.4
          finished 1.4 exit=1                                            | 1 ended failed
      """)
  }

  @Test func `a worker that nobody has heard of yet is announced when it is found running`() {
    Scenario.play(
      """
      slots 1
      0s  restore 1 a launching        |
          restore 2 b queued           |
          deadline                     |
          show 1                       | launching
          started 1                    | 1 started
          started 1                    |
          finished 1                   | 1 ended succeeded, 2 launched, launch 2.1
      """)
  }

  @Test func `an attempt that never began is followed by the next, but for a job that was stopped`()
  {
    Scenario.play(
      """
      0s  restore 1 a launching retries=1          |
          finished 1 revoked                       | 1 queued slots, 1 launched, launch 1.2
          finished 1.2 exit=1                      | 1 queued retry
          restore 3 c running retries=1            |
          finished 3 revoked                       | 3 ended interrupted supervisorLost
          restore 2 b stopping                     |
          finished 2 revoked                       | 2 ended cancelled user
      """)
  }

  @Test func `what was restored starts before anybody new`() {
    Scenario.play(
      """
      slots 1
      0s  restore 4 a queued    |
          submit b fail         | 4 launched, refused immediateRunIneligible, launch 4.1
      """)
  }
}

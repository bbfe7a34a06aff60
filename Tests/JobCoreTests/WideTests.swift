import JobCore
import Testing

/// Jobs that take several slots, or run alone.
@Suite struct WideTests {
  @Test func `a job of several slots waits for all of them, and nobody overtakes it meanwhile`() {
    Scenario.play(
      """
      slots 3
      0s  submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b                  | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit c wide=3           | 3 submitted slots, accepted 3
          submit d                  | 4 submitted slots, accepted 4
          why 3                     | it takes 3 slots, and 1 of 3 is free
          why 4                     | job 3 is ahead, and the free slots are kept until it has enough
          submit e group=x          | 5 submitted slots, 5 launched, accepted 5, launch 5.1
      1s  finished 1                | 1 ended succeeded
      2s  finished 2                | 2 ended succeeded, 3 launched, launch 3.1
          why 4                     | all 3 slots are taken by job 3
      3s  finished 3                | 3 ended succeeded, 4 launched, launch 4.1
      """)
  }

  @Test func `a job of more slots than there are is refused, and of fewer than were takes all`() {
    Scenario.play(
      """
      slots 2
      0s  submit a wide=3           | refused unavailable
          said                      | the job takes 3 slots, and there are 2; jobrun slots 3 sets more
          submit b wide=2           | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit c wide=2           | 2 submitted slots, accepted 2
          slots 1                   |
      1s  finished 1                | 1 ended succeeded, 2 launched, launch 2.1
          submit d wide=3 group=x own=3 | 3 submitted slots, 3 launched, accepted 3, launch 3.1
      """)
  }

  @Test func `slots are kept for a job of several while what was measured for it grows old`() {
    Scenario.play(
      """
      slots 2
      0s   machine memory=16G/16G   |
           submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b wide=2 memory=2G | 2 submitted slots, accepted 2
           submit c                 | 3 submitted slots, accepted 3
      200s why 3                    | job 2 is ahead, and the free slots are kept until it has enough
           submit d                 | 4 submitted slots, accepted 4
      """)
  }

  @Test func `no slot is kept for a job of several once another one has got its GPUs`() {
    Scenario.play(
      """
      slots 2
      0s  submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b wide=2 gpu=2     | 2 submitted slots, accepted 2
          submit c                  | 3 submitted slots, accepted 3
          submit d gpu=2 group=x    | 4 submitted gpu, accepted 4, probe
          machine gpus=2            | 4 launched, 3 launched, 2 queued gpu, launch 4.1 on 0+1, launch 3.1
      """)
  }

  @Test func `slots that are kept for a paused job go to others once it stops`() {
    Scenario.play(
      """
      slots 2
      0s  submit a wide=2             | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1                   | 1 started
          pause 1                     | 1 paused, done 1, pause 1
          submit b                    | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          resume 1                    | 1 paused until slots, done 1
          submit c                    | 3 submitted slots, accepted 3
          cancel 1                    | 1 stopping user by 10s, 3 launched, done 1, stop 1 user by 10s, resume 1,
                                      | launch 3.1
      """)
  }

  @Test func `what is to run alone does, whatever group the others are of`() {
    Scenario.play(
      """
      slots 2
      0s  submit a group=x          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b alone            | 2 submitted slots, accepted 2
          submit c                  | 3 submitted slots, accepted 3
          submit d group=x          | 4 submitted slots, accepted 4
          why 2                     | it needs the machine for itself, and job 1 runs
          why 4                     | job 2 is ahead, and the free slots are kept until it has enough
      1s  finished 1                | 1 ended succeeded, 2 launched, launch 2.1
          why 3                     | job 2 runs exclusively; nothing else may start
          submit e on=far           | refused unavailable
      2s  finished 2                | 2 ended succeeded, 3 launched, 4 launched, launch 3.1, launch 4.1
      """)
  }

  @Test func `a batch may bring the slots of its group, until somebody sets others`() {
    Scenario.play(
      """
      slots 4
      0s  batch a count=3 group=b own=1 | 1 submitted slots, 1 launched, 2 submitted slots,
                                    | 3 submitted slots, accepted 1 and 2 more, launch 1.1
          why 2                     | the only slot of group b is taken by job 1
          group b slots=2           | 2 launched, launch 2.1
      """)
  }

  @Test func `a person starts a job now, beyond the slots`() {
    Scenario.play(
      """
      slots 1
      0s  submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b held             | 2 submitted held, accepted 2
          submit c after=1          | 3 submitted after, accepted 3
          start 2                   | 2 launched, done 2, launch 2.1
          start 3                   | refused unavailable
          said                      | job 3 waits for job 1 to succeed
          start 1                   | refused notWaiting
          start 9                   | not live 9
      1s  finished 1                | 1 ended succeeded, 3 queued slots
          finished 2                | 2 ended succeeded, 3 launched, launch 3.1
      """)
  }

  @Test func `nothing of a paused group starts, and what runs goes on`() {
    Scenario.play(
      """
      slots 2
      0s  submit a group=x          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          pausegroup x              |
          submit b group=x          | 2 submitted paused, accepted 2
          why 2                     | group x is paused; jobrun group x --resume lets its jobs start
          submit c                  | 3 submitted slots, 3 launched, accepted 3, launch 3.1
          submit d group=x fail     | refused immediateRunIneligible
      1s  finished 1                | 1 ended succeeded
          resumegroup x             | 2 launched, launch 2.1
      """)
  }

  @Test func `an expiry is tried again where that was asked for, with all of its time`() {
    Scenario.play(
      """
      slots 1
      0s  submit a plain limit=5s retries=1 every=1s again | 1 submitted slots, 1 launched, accepted 1,
                                    | launch 1.1
          started 1                 | 1 started
      5s  deadline                  | 1 stopping limit by 15s, stop 1 limit by 15s
          finished 1 signal=15      | 1 queued retry
          why 1                     | attempt 1 of 2 expired; the next one starts in 1 s
      6s  deadline                  | 1 queued slots, 1 launched, launch 1.2
          started 1.2               | 1 started
          deadline                  |
      11s deadline                  | 1 stopping limit by 21s, stop 1 limit by 21s
          finished 1.2 signal=15    | 1 ended expired limit
      """)
  }
}

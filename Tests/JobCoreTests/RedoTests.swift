import JobCore
import Testing

@Suite struct RedoTests {
  @Test func `an ended job makes its next attempt under its old number`() {
    Scenario.play(
      """
      slots 1
      0s  submit a               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b               | 2 submitted slots, accepted 2
          finished 1 lost        | 1 ended interrupted supervisorLost, 2 launched, launch 2.1
          redo 1 a attempt=2     | 1 queued slots, done 1
          show 1                 | queued slots attempt 2 #1
          submit c               | 3 submitted slots, accepted 3
          finished 2             | 2 ended succeeded, 1 launched, launch 1.2
          finished 1.2           | 1 ended succeeded, 3 launched, launch 3.1
      """)
  }

  @Test func `a redone job has all of its retries and all of its time again`() {
    Scenario.play(
      """
      0s  submit a retries=1 limit=30s            | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1                               | 1 started
      9s  finished 1 exit=1                       | 1 queued retry
      10s deadline                                | 1 queued slots, 1 launched, launch 1.2
          finished 1.2 exit=1                     | 1 ended failed
          redo 1 a attempt=3 retries=1 limit=30s  | 1 queued slots, 1 launched, done 1, launch 1.3
          started 1.3                             | 1 started
          next                                    | 40s
          finished 1.3 exit=1                     | 1 queued retry
          next                                    | 11s
      """)
  }

  @Test func `what lives or would hide a live one is not redone`() {
    Scenario.play(
      """
      0s  submit a               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          redo 1 a               | refused alreadyRunning
          finished 1 exit=1      | 1 ended failed
          submit a               | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          redo 1 a               | refused alreadyRunning
          said                   | job 2 has the identifier test.a and has not ended; wait for its end or cancel it
          redo 0 b               | refused alreadyRunning
          finished 2             | 2 ended succeeded
          shutdown               |
          redo 1 a               | refused unavailable
      """)
  }

  @Test func `a job that became impossible is not redone`() {
    Scenario.play(
      """
      0s  machine                | 
          redo 1 a gpu=9         | refused unavailable
          submit b               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
      """)
  }
}

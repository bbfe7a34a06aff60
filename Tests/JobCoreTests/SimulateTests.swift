import JobCore
import Testing

/// `jobrun simulate launch`: starts a scheduled task now, for a test.
@Suite struct SimulateTests {
  @Test func `a launch waits neither for the time nor for a condition nor for a slot`() {
    Scenario.play(
      """
      slots 1
      0s   clock 0s                         |
           machine battery                  |
           submit z                         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit a processing power at=9s  | 2 submitted notBefore, accepted 2
           simulate launch 2                | 2 launched, done 2, launch 2.1
           alarm                            | none
      1s   started 2                        | 2 started
           # The missing condition does not stop it, and is not looked for: the next look is for a stall.
           next                             | 31s
      9s   machine battery                  |
      20s  machine battery                  |
           show 2                           | running
           finished 2                       | 2 ended succeeded
      """)
  }

  @Test func `the attempt after a simulated one keeps to the rules again`() {
    Scenario.play(
      """
      0s   clock 0s                                   |
           machine battery                            |
           submit a processing power at=9s retries=1  | 1 submitted notBefore, accepted 1
           simulate launch 1                          | 1 launched, done 1, launch 1.1
           started 1                                  | 1 started
           finished 1 exit=1                          | 1 queued retry
      1s   deadline                                   | 1 queued power
      """)
  }

  @Test func `what cannot be launched is answered with why`() {
    Scenario.play(
      """
      slots 1
      0s   machine gpus=1                  |
           submit a gpu                    | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
           submit b                        | 2 submitted slots, accepted 2
           simulate launch 1               | refused unavailable
           said                            | job 1 is already running; only a waiting job can be launched
           simulate launch 2               | refused unavailable
           said                            | only scheduled tasks can be launched early; \
      job 2 was submitted by a person
           submit c processing gpu         | 3 submitted gpu, accepted 3
           simulate launch 3               | refused unavailable
           said                            | GPU 0 (H200) is held by job 1
           simulate launch 9               | not live 9
      """)
  }

  @Test func `a request that follows on a running one cannot be launched beside it`() {
    Scenario.play(
      """
      0s   submit a refresh     | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit a refresh     | 2 submitted after, accepted 2
           simulate launch 2    | refused unavailable
           said                 | job 2 waits for job 1, which has not ended
      """)
  }

  @Test func `a plain job that waits for its time can be launched too`() {
    Scenario.play(
      """
      0s   clock 0s            |
           submit a at=9s      | 1 submitted notBefore, accepted 1
           simulate stall 1    | refused unavailable
           simulate launch 1   | 1 launched, done 1, launch 1.1
      """)
  }
}

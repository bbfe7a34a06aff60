import JobCore
import Testing

/// Pushes: waiting ones are merged, and wake-ups are limited.
@Suite struct PushTests {
  @Test func `of a burst the first wakes the program, and all others become one`() {
    Scenario.play(
      """
      slots 1
      0s   submit a push                    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                        | 1 started
           submit a push                    | 2 submitted after, accepted 2
           submit a push                    | 2 edited after, kept 2
           submit a push                    | 2 edited after, kept 2
      1s   finished 1 success               | 1 ended succeeded, 2 queued notBefore
           why 2                            | pushes wake it once in 10 s, with the newest of them
           submit a push                    | 2 edited notBefore, kept 2
      10s  deadline                         | 2 queued slots, 2 launched, launch 2.1
      11s  finished 2 success               | 2 ended succeeded
      40s  submit a push                    | 3 submitted slots, 3 launched, accepted 3, launch 3.1
      """)
  }

  @Test func `a program that an earlier runner has just woken is left alone, too`() {
    Scenario.play(
      """
      slots 1
      100s restore 1 a running push         |
           submit a push                    | 2 submitted after, accepted 2
      101s finished 1 success               | 1 ended succeeded, 2 queued notBefore
      """)
    Scenario.play(
      """
      slots 1
      100s clock 0s                         |
           woken a ago=4                    |
           submit a push                    | 1 submitted notBefore, accepted 1
      106s deadline                         | 1 queued slots, 1 launched, launch 1.1
      """)
  }

  @Test func `those of other programs are others, and one that waits for a slot takes them, too`() {
    Scenario.play(
      """
      slots 1
      0s   submit work                      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit a push                    | 2 submitted slots, accepted 2
           submit b push                    | 3 submitted slots, accepted 3
           submit a push                    | 2 edited slots, kept 2
      1s   finished 1 success               | 1 ended succeeded, 2 launched, launch 2.1
      """)
  }

  /// The first twenty, at once.
  private static let twenty =
    "slots 40\n0s budget |\n clock 0s |\n"
    + (1...20).map { number in
      """
      0s submit p\(number) push | \(number) submitted slots, \(number) launched, \
      accepted \(number), launch \(number).1

      """
    }.joined()

  @Test func `a bundle has twenty at once, then one in five minutes; the next is refused in words`()
  {
    Scenario.play(
      Self.twenty + """
        30s  clock 30s                        |
             submit more push                 | refused tooManyPendingTaskRequests
             said                             | test has used its 20 starts in a row, and gets one \
        every 5 min, so this push is dropped; the next may come in 270 s
             submit other push of=else        | 21 submitted slots, 21 launched, accepted 21, launch 21.1
        300s clock 300s                       |
             submit more push                 | 22 submitted slots, 22 launched, accepted 22, launch 22.1
        301s clock 301s                       |
             submit again push                | refused tooManyPendingTaskRequests
        """)
  }

  @Test func `those that wait have their part of the budget, however many come before one starts`()
  {
    var table =
      "slots 1\n0s budget |\n clock 0s |\n submit work | 1 submitted slots, 1 launched, accepted 1, launch 1.1\n"
    for number in 2...21 {
      table += "0s submit p\(number) push | \(number) submitted slots, accepted \(number)\n"
    }
    Scenario.play(table + "0s submit more push | refused tooManyPendingTaskRequests")
  }

  @Test func `they are of one budget with the bundle's tasks, which another runner knows, too`() {
    Scenario.play(
      """
      slots 4
      0s   budget starts=2                  |
           clock 0s                         |
           submit a refresh                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b push                    | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           submit c push                    | refused tooManyPendingTaskRequests
           said                             | test has used its 2 starts per 24 h, so this push is \
      dropped; the next may come in 24 h
      """)
    Scenario.play(
      """
      slots 4
      0s   budget starts=1                  |
           clock 0s                         |
           restore 1 a running push         |
           submit b push                    | refused tooManyPendingTaskRequests
      """)
  }

  @Test func `whom a person has switched off gets none until that is switched on again`() {
    Scenario.play(
      """
      0s   settings test background=no      |
           submit a push                    | refused unavailable
           said                             | background work of test is switched off; \
      jobrun settings set test background=yes allows it
           settings test background=yes     |
           submit a push                    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
      """)
  }

  @Test func `one that may not wait is refused while its program rests`() {
    Scenario.play(
      """
      slots 1
      0s   submit a push                    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                        | 1 started
      1s   finished 1 success               | 1 ended succeeded
           submit a push fail               | refused immediateRunIneligible
      """)
  }

  @Test func `one takes the place of what waits under its name and is none`() {
    Scenario.play(
      """
      slots 1
      0s   submit work                      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit a refresh                 | 2 submitted slots, accepted 2
           submit a push                    | 2 ended cancelled superseded, 3 submitted slots, accepted 3
      """)
  }

  @Test func `one that waits while its bundle is switched off is not told`() {
    Scenario.play(
      """
      slots 1
      0s   submit work                      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit a push                    | 2 submitted slots, accepted 2
           settings test background=no      | 2 queued settings
           submit a push                    | refused unavailable
      1s   finished 1 success               | 1 ended succeeded
      """)
  }
}

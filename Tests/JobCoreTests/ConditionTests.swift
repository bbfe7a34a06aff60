import JobCore
import Testing

/// A processing task whose conditions are lost while it runs.
@Suite struct ConditionTests {
  @Test func `a processing task is stopped when two looks show that the power is gone`() {
    Scenario.play(
      """
      0s   machine                      |
           submit a processing power    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                    | 1 started
           next                         | 5s
      5s   deadline                     | probe
           machine battery              |
           # One look is a suspicion; the next follows soon.
           next                         | 6s
      6s   deadline                     | probe
           machine battery              | 1 stopping requirementLost by 16s, stop 1 requirementLost by 16s
           said                         | there is no external power: the battery discharges
           # Nothing is looked for on account of what was told to stop.
           next                         | 16s
      7s   finished 1                   | 1 ended expired requirementLost
           next                         | none
      """)
  }

  @Test func `a network that is back at the next look was never gone`() {
    Scenario.play(
      """
      0s   machine                       |
           submit a processing network   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                     | 1 started
      5s   deadline                      | probe
           machine offline               |
      6s   deadline                      | probe
           machine                       |
           next                          | 11s
      11s  deadline                      | probe
           machine offline               |
           show 1                        | running
      """)
  }

  @Test func `two looks in the same moment are one`() {
    Scenario.play(
      """
      0s   machine                      |
           submit a processing power    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           machine battery              |
           machine battery              |
           show 1                       | launching
      """)
  }

  @Test func `a job that a person watches goes on, and so does what needs nothing`() {
    Scenario.play(
      """
      slots 3
      0s   machine               |
           submit a power        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b processing   | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           submit c refresh network | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           next                  | none
      5s   machine battery offline |
      7s   machine battery offline |
           next                  | none
      """)
  }

  @Test func `the next runner watches the conditions on`() {
    Scenario.play(
      """
      0s   restore 1 a running processing power |
           started 1                            | probe
           machine battery                      |
      1s   machine battery                      | 1 stopping requirementLost by 11s, \
      stop 1 requirementLost by 11s
      """)
  }
}

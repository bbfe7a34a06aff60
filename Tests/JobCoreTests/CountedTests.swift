import JobCore
import Testing

/// Processors and the resources that the machine's owner counts.
@Suite struct CountedTests {
  @Test func `who lacks it waits, others pass, and who needs the same comes after it`() {
    Scenario.play(
      """
      slots 4
      0s  counted licence=3 tape=1  |
          submit a licence=2        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b licence=2        | 2 submitted resource, accepted 2
          why 2                     | 2 of licence are needed, and 1 of 3 is free: the rest is reserved by job 1
          submit c licence=1        | 3 submitted resource, accepted 3
          why 3                     | job 2 is ahead and also waits for licence
          submit d tape=1           | 4 submitted slots, 4 launched, accepted 4, launch 4.1
          submit e                  | 5 submitted slots, 5 launched, accepted 5, launch 5.1
      1s  finished 1                | 1 ended succeeded, 2 launched, 3 launched, launch 2.1, launch 3.1
      """)
  }

  @Test func `more than there is, or of what is not there, is refused at once`() {
    Scenario.play(
      """
      slots 2
      0s  counted licence=1         |
          submit a licence=2        | refused unavailable
          said                      | the job needs 2 of licence, and this machine has 1
          submit b tape=1           | refused unavailable
          submit c licence=1        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit d licence=1        | 2 submitted resource, accepted 2
          counted tape=1            | 2 ended refused requirementLost
      """)
  }

  @Test func `processors are reserved by those that ask for them`() {
    Scenario.play(
      """
      slots 9
      0s  machine cpus=4            |
          submit a cpus=3           | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b cpus=2           | 2 submitted resource, accepted 2
          submit c                  | 3 submitted slots, 3 launched, accepted 3, launch 3.1
          submit d cpus=1           | 4 submitted resource, accepted 4
          start 2                   | refused unavailable
          said                      | 2 processors are needed, and 1 of 4 is free: the rest is reserved by job 1
      1s  finished 1                | 1 ended succeeded, 2 launched, 4 launched, launch 2.1, launch 4.1
      """)
  }

  @Test func `one processor is told in the singular`() {
    Scenario.play(
      """
      slots 9
      0s  machine cpus=2            |
          submit a cpus=2           | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b cpus=1           | 2 submitted resource, accepted 2
          start 2                   | refused unavailable
          said                      | 1 processor is needed, and 0 of 2 are free: the rest is reserved by job 1
      """)
  }

  @Test func `an edit changes what is needed, the group and the limit`() {
    Scenario.play(
      """
      slots 1
      0s  counted licence=1         |
          submit a licence=1        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b                  | 2 submitted slots, accepted 2
          edit 2 licence=2          | refused unavailable
          edit 2 group=x licence=1  | 2 edited resource, done 2
          finished 1                | 1 ended succeeded, 2 launched, launch 2.1
          edit 2 limit=5s           | refused notWaiting
      """)
  }
}

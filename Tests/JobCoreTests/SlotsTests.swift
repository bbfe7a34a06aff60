import JobCore
import Testing

/// Another number of slots while jobs run.
@Suite struct SlotsTests {
  @Test func `more slots let others start at once`() {
    Scenario.play(
      """
      slots 1
      0s  submit a  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b  | 2 submitted slots, accepted 2
          submit c  | 3 submitted slots, accepted 3
          submit d  | 4 submitted slots, accepted 4
          slots 3   | 2 launched, 3 launched, launch 2.1, launch 3.1
          why 4     | all 3 slots are taken by jobs 1, 2 and 3
      """)
  }

  @Test func `fewer slots take nothing from what runs`() {
    Scenario.play(
      """
      slots 3
      0s  submit a    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b    | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit c    | 3 submitted slots, 3 launched, accepted 3, launch 3.1
          submit d    | 4 submitted slots, accepted 4
          slots 1     |
          why 4       | the only slot is taken by jobs 1, 2 and 3
          finished 1  | 1 ended succeeded
          finished 2  | 2 ended succeeded
          why 4       | the only slot is taken by job 3
          finished 3  | 3 ended succeeded, 4 launched, launch 4.1
      """)
  }
}

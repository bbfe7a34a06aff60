import JobCore
import Testing

/// Hostile and extreme pages of a running job.
@Suite struct PageSampleTests {
  @Test func `one more of very many is an advance`() {
    let many = UInt64.max - 5
    Scenario.play(
      """
      0s   submit a stall=10s                        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                                 | 1 started
      1s   sampled 1 \(many)/\(UInt64.max)           |
      12s  sampled 1 \(many)/\(UInt64.max) reports=1 |
      13s  sampled 1 \(many + 1)/\(UInt64.max)       |
           next                                      | 15.5s
      """)
  }

  @Test func `counts that fall, or a total that comes and goes, are reports`() {
    Scenario.play(
      """
      0s   submit a stall=10s    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1             | 1 started
      1s   sampled 1 5/10        |
      12s  sampled 1 4/10        |
      13s  sampled 1 3/10        | 1 stalled, 1 prompt
           sampled 1 3/0         |
      14s  sampled 1 3/10        | 1 answered
      """)
  }

  @Test func `a fraction is clamped`() {
    var sample = PageSample()
    #expect(sample.fraction == nil)
    sample.completed = 12
    sample.total = 10
    #expect(sample.fraction == 1)
  }
}

import JobCore
import Testing

@Suite struct StallTests {
  @Test func `a job that reports without advancing prompts, after two looks`() {
    Scenario.play(
      """
      0s  submit a                    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1                   | 1 started
          next                        | 30s
      10s sampled 1 3/10              |
          next                        | 17.5s
      40s deadline                    | sample 1
          sampled 1 3/10 reports=1    |
          next                        | 41s
      41s deadline                    | sample 1
          sampled 1 3/10 reports=2    | 1 stalled, 1 prompt
          show 1                      | stalled
      50s sampled 1 4/10              | 1 answered
          show 1                      | running
      """)
  }

  /// It may have stopped at 10 s; it was seen to have moved at 17.5 s.
  @Test func `a stall right after a look is noticed a quarter of the timeout late at most`() {
    Scenario.play(
      """
      0s    submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                 | 1 started
      10s   sampled 1 3/10            |
            next                      | 17.5s
      17.5s sampled 1 4/10            |
            next                      | 25s
      25s   sampled 1 4/10 reports=1  |
            next                      | 32.5s
      40s   sampled 1 4/10 reports=2  |
            next                      | 47.5s
      47.5s sampled 1 4/10 reports=3  |
            next                      | 48.5s
      48.5s sampled 1 4/10 reports=4  | 1 stalled, 1 prompt
      """)
  }

  @Test func `an advance between the two looks clears the suspicion`() {
    Scenario.play(
      """
      0s    submit a                  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                 | 1 started
      1s    sampled 1 3/10            |
      31s   sampled 1 3/10 reports=1  |
      31.9s sampled 1 3/10 reports=2  |
      32s   sampled 1 4/10            |
            next                      | 39.5s
      """)
  }

  @Test func `yes doubles the timeout each time, no stops`() {
    Scenario.play(
      """
      0s   submit a stall=10s          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                   | 1 started
           yes 1                       | no prompt 1
      1s   sampled 1 3/10              |
      11s  sampled 1 3/10 reports=1    |
      12s  sampled 1 3/10 reports=2    | 1 stalled, 1 prompt
      20s  yes 1                       | 1 answered, done 1
           next                        | 17s
      30s  sampled 1 3/10 reports=3    |
      40s  sampled 1 3/10 reports=4    |
      41s  sampled 1 3/10 reports=5    | 1 stalled, 1 prompt
      42s  yes 1                       | 1 answered, done 1
           next                        | 51s
      43s  sampled 1 3/10 reports=6    |
      82s  sampled 1 3/10 reports=7    |
      83s  sampled 1 3/10 reports=8    | 1 stalled, 1 prompt
      84s  no 1                        | 1 stopping stallDeclined by 94s, done 1, stop 1 stallDeclined by 94s
           no 1                        | no prompt 1
           finished 1 exit=0           | 1 ended expired stallDeclined
           yes 1                       | not live 1
      """)
  }

  @Test func `who is not to be asked stops, or goes on without a question`() {
    Scenario.play(
      """
      0s   submit a stall=10s onstall=stop      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                            | 1 started
           submit b stall=10s onstall=continue  | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 2                            | 2 started
      1s   sampled 1 3/10                       |
           sampled 2 3/10                       |
      20s  sampled 1 3/10 reports=1             |
           sampled 2 3/10 reports=1             |
      21s  sampled 1 3/10 reports=2             | 1 stopping stallDeclined by 31s, stop 1 stallDeclined by 31s
           said                                 | it made no progress for 10 s, and was set to stop in that case
           sampled 2 3/10 reports=2             |
           finished 1                           | 1 ended expired stallDeclined
           next                                 | none
      """)
  }

  @Test(arguments: ["0/0", "10/10", "12/10"])
  func `a job without a total, or with all of it done, is never stalled`(count: String) {
    Scenario.play(
      """
      0s   submit a stall=10s            | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                     | 1 started
      1s   sampled 1 \(count)            |
      20s  sampled 1 \(count) reports=1  |
      21s  sampled 1 \(count) reports=2  |
      22s  sampled 1 \(count) reports=3  |
           show 1                        | running
      """)
  }

  @Test func `a job that reports nothing at all is silent, not stalled`() {
    Scenario.play(
      """
      0s   submit a stall=10s     | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1              | 1 started
      1s   sampled 1 3/10         |
      11s  sampled 1 3/10         |
      12s  sampled 1 3/10         |
           show 1                 | running
           next                   | 14.5s
      22s  deadline               | sample 1
      """)
  }

  @Test func `a command of which that was asked may print nothing, and is asked about`() {
    Scenario.play(
      """
      0s   submit a stall=10s asked          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b stall=10s asked silent=1h | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 1                         | 1 started
           started 2                         | 2 started
      1s   sampled 1 3/10                    |
           sampled 2 3/10                    |
      11s  sampled 1 3/10                    |
           sampled 2 3/10                    |
      12s  sampled 1 3/10                    | 1 stalled, 1 prompt
           sampled 2 3/10                    |
           show 2                            | running
      20s  sampled 1 4/10                    | 1 answered
      """)
  }

  @Test func `a growing total is no stall as long as the fraction grows`() {
    Scenario.play(
      """
      0s   submit a stall=10s   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1            | 1 started
      1s   sampled 1 3/10       |
      12s  sampled 1 7/20       |
      13s  sampled 1 7/21       |
      23s  sampled 1 7/22       |
      24s  sampled 1 8/22       |
           next                 | 26.5s
      """)
  }

  @Test func `a quiet phase that a job announced is no stall`() {
    Scenario.play(
      """
      0s   submit a stall=10s                   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                            | 1 started
      1s   sampled 1 3/10                       |
      2s   sampled 1 3/10 quiet=60s             |
           next                                 | 62.5s
      70s  sampled 1 3/10 quiet=60s             |
      71s  sampled 1 3/10 quiet=60s reports=1   | 1 stalled, 1 prompt
      """)
  }

  @Test func `an unanswered prompt gives its slot away, and keeps a GPU that nobody waits for`() {
    Scenario.play(
      """
      slots 1
      0s   machine gpus=1               |
           submit a gpu stall=10m       | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
           started 1                    | 1 started
           submit b                     | 2 submitted slots, accepted 2
      1s   sampled 1 3/10               |
      2s   simulate stall 1             | 1 stalled, 1 prompt, done 1
           simulate stall 1             | done 1
           next                         | 601s
      601s deadline                     | sample 1
           sampled 1 3/10 reports=1     |
      602s deadline                     | 2 launched, launch 2.1
           show 1                       | stalled on 0
      700s sampled 1 4/10 reports=1     | 1 answered
           submit d                     | 3 submitted slots, accepted 3
           why 3                        | the only slot is taken by job 2
           finished 1                   | 1 ended succeeded
           finished 2                   | 2 ended succeeded, 3 launched, launch 3.1
      """)
  }

  @Test func `a stalled job that falls silent expires all the same`() {
    Scenario.play(
      """
      0s   submit a silent=30s          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                    | 1 started
      1s   sampled 1 3/10               |
           simulate stall 1             | 1 stalled, 1 prompt, done 1
      21s  deadline                     | sample 1
           sampled 1 3/10               | 1 warned in stalled
      31s  deadline                     | sample 1
           sampled 1 3/10               |
      32s  deadline                     | sample 1
           sampled 1 3/10               | 1 stopping silent by 42s, stop 1 silent by 42s
           no 1                         | no prompt 1
      """)
  }
}

import JobCore
import Testing

/// Work that runs without real progress: it has become slow, or reports only texts.
@Suite struct SlowTests {
  @Test func `work that has become slow is asked about, after two looks`() {
    Scenario.play(
      """
      0s    submit a                         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                        | 1 started
            sampled 1 0/1000000              |
      10s   sampled 1 1000/1000000           |
      20s   sampled 1 2000/1000000           |
      # In all it takes 10000 s, as it says at first.
      30s   sampled 1 3000/1000000           |
      60s   sampled 1 6000/1000000           |
      90s   sampled 1 6001/1000000           |
      120s  sampled 1 6002/1000000           |
      # One look may show an accident.
            show 1                           | running
      150s  sampled 1 6003/1000000           | 1 stalled, 1 prompt
      # It advances all the time, which is no answer.
      160s  sampled 1 6005/1000000           |
      # Yes: it is as slow as is expected now.
      170s  yes 1                            | 1 answered, done 1
      200s  sampled 1 6006/1000000           |
      201s  sampled 1 6007/1000000           |
            show 1                           | running
      """)
  }

  @Test func `a question that a faster pace has answered is taken back`() {
    Scenario.play(
      """
      0s    submit a                         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                        | 1 started
            sampled 1 0/1000000              |
      10s   sampled 1 1000/1000000           |
      30s   sampled 1 3000/1000000           |
      60s   sampled 1 6000/1000000           |
      90s   sampled 1 6001/1000000           |
      120s  sampled 1 6002/1000000           |
      150s  sampled 1 6003/1000000           | 1 stalled, 1 prompt
      180s  sampled 1 900000/1000000         | 1 answered
      """)
  }

  @Test(arguments: ["onstall=continue", "onstall=stop", "ignoreslow"])
  func `nobody is asked who does not want to be`(option: String) {
    Scenario.play(
      """
      0s    submit a \(option)              | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                        | 1 started
            sampled 1 0/1000000              |
      10s   sampled 1 1000/1000000           |
      30s   sampled 1 3000/1000000           |
      60s   sampled 1 6000/1000000           |
      90s   sampled 1 6001/1000000           |
      120s  sampled 1 6002/1000000           |
      150s  sampled 1 6003/1000000           |
      151s  sampled 1 6004/1000000           |
            show 1                           | running
      """)
  }

  /// One of a billion per second: thirty years, as its first estimate says.
  @Test func `work that is slow from the start is never asked about`() {
    var table = """
      0s submit a | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         started 1 | 1 started

      """
    for second in stride(from: 0, through: 7200, by: 8) {
      table += "\(second)s sampled 1 \(second)/1000000000 |\n"
    }
    Scenario.play(table + "show 1 | running")
  }

  /// Eight steps of a quarter of an hour each, without visible progress between them.
  @Test func `work in large steps is not slow between them`() {
    var table = """
      0s submit a onstall=ask stall=9000s | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         started 1 | 1 started

      """
    for second in stride(from: 0, through: 6300, by: 100) {
      table += "\(second)s sampled 1 \(second / 900)/8 |\n"
    }
    Scenario.play(table + "show 1 | running")
  }

  @Test func `what earlier runs took is expected, too`() {
    Scenario.play(
      """
      0s    submit a                         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                        | 1 started
            sampled 1 0/1000000              |
            usual 1 length=86400s            |
      10s   sampled 1 1000/1000000           |
      30s   sampled 1 3000/1000000           |
      60s   sampled 1 6000/1000000           |
      # Two days, and one was usual.
      90s   sampled 1 6180/1000000           |
      120s  sampled 1 6360/1000000           |
      150s  sampled 1 6540/1000000           |
      151s  sampled 1 6541/1000000           |
            show 1                           | running
      """)
  }

  @Test func `words alone are a sign of life for five silences`() {
    Scenario.play(
      """
      0s    submit a silent=10s              | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                        | 1 started
      6s    sampled 1 text=1                 |
      12s   sampled 1 text=2                 |
      18s   sampled 1 text=3                 |
      24s   sampled 1 text=4                 |
      30s   sampled 1 text=5                 |
      36s   sampled 1 text=6                 |
      42s   sampled 1 text=7                 |
      48s   sampled 1 text=8                 |
      54s   sampled 1 text=9                 |
      55s   sampled 1 text=10                | 1 stalled, 1 prompt
      # More words are no answer, a count is.
      60s   sampled 1 text=11                |
      62s   sampled 1 1/0 text=12            | 1 answered
      """)
  }

  @Test func `words alone end a job that is to be stopped where it stalls`() {
    Scenario.play(
      """
      0s    submit a silent=10s onstall=stop | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                        | 1 started
      9s    sampled 1 text=1                 |
      18s   sampled 1 text=2                 |
      27s   sampled 1 text=3                 |
      36s   sampled 1 text=4                 |
      45s   sampled 1 text=5                 |
      54s   sampled 1 text=6                 |
      55s   sampled 1 text=7                 | 1 stopping stallDeclined by 65s, stop 1 stallDeclined by 65s
            said                             | it has reported only texts and no progress for 50 s, \
      and was set to stop in that case
      """)
  }
}

/// Questions without an answer.
@Suite struct UnansweredTests {
  @Test
  func `an unanswered question gives up its GPU once somebody waits for it, and both say why`() {
    Scenario.play(
      """
      slots 3
      0s    machine gpus=1                   |
            submit a gpu stall=10s           | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
            started 1                        | 1 started
            sampled 1 3/10                   |
      10s   sampled 1 3/10 reports=1         |
      11s   sampled 1 3/10 reports=2         | 1 stalled, 1 prompt
            submit b gpu                     | 2 submitted gpu, accepted 2
            why 2                            | GPU 0 (H200) is held by job 1, which asks whether to \
      continue, and is stopped if nobody answers for 10 min
      610.5s deadline                        | sample 1
      611s  deadline                         | 1 stopping unanswered by 621s, stop 1 unanswered by 621s
            said                             | nobody answered for 10 min, and job 2 waits for this GPU
            why 2                            | GPU 0 (H200) is held by job 1, which is being stopped for \
      it: its question was not answered
      612s  finished 1                       | 1 ended expired unanswered, probe
      """)
  }

  @Test func `who comes later finds one that nobody has answered, too`() {
    Scenario.play(
      """
      slots 3
      0s    machine gpus=1                   |
            submit a gpu stall=10s           | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
            started 1                        | 1 started
            sampled 1 3/10                   |
      10s   sampled 1 3/10 reports=1         |
      11s   sampled 1 3/10 reports=2         | 1 stalled, 1 prompt
      611s  deadline                         | sample 1
      # Nobody else wants it: it is left alone.
      4000s show 1                           | stalled on 0
            submit b                         | 2 submitted slots, 2 launched, accepted 2, launch 2.1
            submit c gpu                     | 3 submitted gpu, 1 stopping unanswered by 4010s, accepted 3, \
      stop 1 unanswered by 4010s
      """)
  }

  @Test func `no more are given up than it takes, the first asked first, and none in vain`() {
    Scenario.play(
      """
      slots 6
      0s    machine gpus=3                   |
            submit a gpu stall=10s           | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
            submit b gpu stall=10s           | 2 submitted slots, 2 launched, accepted 2, launch 2.1 on 1
            submit x gpu                     | 3 submitted slots, 3 launched, accepted 3, launch 3.1 on 2
            started 1                        | 1 started
            started 2                        | 2 started
            sampled 1 3/10                   |
            sampled 2 3/10                   |
      10s   sampled 1 3/10 reports=1         |
      11s   sampled 1 3/10 reports=2         | 1 stalled, 1 prompt
            sampled 2 3/10 reports=1         |
      12s   sampled 2 3/10 reports=2         | 2 stalled, 2 prompt
      # Each is answered for itself.
            yes 2                            | 2 answered, done 2
      22s   sampled 2 3/10 reports=3         |
      33s   sampled 2 3/10 reports=4         |
      34s   sampled 2 3/10 reports=5         | 2 stalled, 2 prompt
      700s  deadline                         | sample 1, sample 2
            submit c gpu=3                   | 4 submitted gpu, accepted 4
            show 1                           | stalled on 0
            submit d gpu high                | 5 submitted gpu, 1 stopping unanswered by 710s, accepted 5, \
      stop 1 unanswered by 710s
            show 2                           | stalled on 1
      """)
  }

  @Test func `a question may have a time of its own`() {
    Scenario.play(
      """
      0s    submit a stall=10s answer=60s    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1                        | 1 started
            sampled 1 3/10                   |
      10s   sampled 1 3/10 reports=1         |
      11s   sampled 1 3/10 reports=2         | 1 stalled, 1 prompt
            next                             | 21s
      30s   sampled 1 3/10 reports=3         |
      65s   sampled 1 3/10 reports=4         |
            next                             | 71s
      71s   deadline                         | 1 stopping unanswered by 81s, stop 1 unanswered by 81s
            said                             | nobody answered for 1 min, the time set for an answer
      """)
  }
}

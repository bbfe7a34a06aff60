import JobCore
import Testing

struct PauseTests {
  @Test func `a paused job gives its slot away and takes the next that is free`() {
    Scenario.play(
      """
      slots 1
      0s  submit a    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1   | 1 started
          submit b    | 2 submitted slots, accepted 2
          submit c    | 3 submitted slots, accepted 3
      1s  pause 1     | 1 paused, 2 launched, done 1, pause 1, launch 2.1
          started 2   | 2 started
          show 1      | paused
      2s  resume 1    | 1 paused until slots, done 1
          why 1       | the only slot is taken by job 2
      3s  finished 2  | 2 ended succeeded, 1 resumed, resume 1
          why 3       | the only slot is taken by job 1
          finished 1  | 1 ended succeeded, 3 launched, launch 3.1
      """)
  }

  @Test func `with its slot kept, nobody starts in its place, and it goes on at once`() {
    Scenario.play(
      """
      slots 1
      0s  submit a      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1     | 1 started
          submit b      | 2 submitted slots, accepted 2
      1s  pause 1 keep  | 1 paused with its slot, done 1, pause 1
      2s  resume 1      | 1 resumed, done 1, resume 1
      """)
  }

  @Test func `GPUs and memory stay with it`() {
    Scenario.play(
      """
      slots 2
      0s  machine gpus=1   |
          submit a gpu     | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
          started 1        | 1 started
          pause 1          | 1 paused, done 1, pause 1
          submit b gpu     | 2 submitted gpu, accepted 2
          why 2            | GPU 0 (H200) is held by job 1
      """)
  }

  @Test func `paused beyond its limit it is not expired, and goes on where it stood`() {
    Scenario.play(
      """
      0s   submit a limit=10s onstall=continue | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1  | 1 started
      4s   pause 1    | 1 paused, done 1, pause 1
           next       | none
      60s  deadline   |
      100s resume 1   | 1 resumed, done 1, resume 1
           next       | 106s
      106s deadline   | 1 stopping limit by 116s, stop 1 limit by 116s
      """)
  }

  @Test func `silence does not count while it is paused, and is suspected anew`() {
    Scenario.play(
      """
      0s   submit a silent=30s onstall=continue | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1            | 1 started
      10s  pause 1              | 1 paused, done 1, pause 1
      500s resume 1             | 1 resumed, done 1, resume 1
      509s sampled 1 0/0        |
      511s sampled 1 0/0        | 1 warned
      520s sampled 1 0/0        |
      521s sampled 1 0/0        | 1 stopping silent by 531s, stop 1 silent by 531s
      """)
  }

  @Test func `a quiet phase that the job announced is as much longer as it was paused`() {
    Scenario.play(
      """
      0s   submit a silent=30s onstall=continue | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                      | 1 started
           sampled 1 0/0 quiet=100s       |
      50s  pause 1                        | 1 paused, done 1, pause 1
      500s resume 1                       | 1 resumed, done 1, resume 1
      560s sampled 1 0/0 quiet=100s       |
      571s sampled 1 0/0 quiet=100s       | 1 warned
      """)
  }

  @Test func `what was suspected of it before is seen anew`() {
    Scenario.play(
      """
      0s   submit a stall=30s    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1             | 1 started
           sampled 1 1/10        |
      29s  sampled 1 1/10 reports=1 |
      30s  sampled 1 1/10 reports=2 |
           pause 1               | 1 paused, done 1, pause 1
      90s  resume 1              | 1 resumed, done 1, resume 1
           sampled 1 1/10 reports=3 |
      91s  sampled 1 1/10 reports=4 | 1 stalled, 1 prompt
      """)
  }

  @Test func `an open question waits too, and keeps its slot as long as it would have`() {
    Scenario.play(
      """
      slots 1
      0s    submit a            | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1           | 1 started
            simulate stall 1    | 1 stalled, 1 prompt, done 1
            submit b            | 2 submitted slots, accepted 2
      300s  pause 1 keep        | 1 paused with its slot, done 1, pause 1
            yes 1               | no prompt 1
      2000s deadline            |
            resume 1            | 1 resumed in stalled, done 1, resume 1
      2299s deadline            | sample 1
      2300s deadline            | 2 launched, sample 1, launch 2.1
            yes 1               | 1 answered, done 1
      """)
  }

  @Test func `told to stop it goes on, so that it can end itself in its grace`() {
    Scenario.play(
      """
      0s   submit a grace=5s | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1         | 1 started
      1s   pause 1           | 1 paused, done 1, pause 1
      60s  cancel 1          | 1 stopping user by 65s, done 1, stop 1 user by 65s, resume 1
      65s  deadline          | kill 1
           finished 1 signal=9 | 1 ended cancelled user
      """)
  }

  @Test func `one that waits for its slot again can be paused again, and ends as any other`() {
    Scenario.play(
      """
      slots 1
      0s  submit a   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1  | 1 started
          submit b   | 2 submitted slots, accepted 2
          pause 1    | 1 paused, 2 launched, done 1, pause 1, launch 2.1
          started 2  | 2 started
          resume 1   | 1 paused until slots, done 1
          resume 1   | done 1
          pause 1    | 1 paused, done 1, pause 1
          finished 2 | 2 ended succeeded
          show 1     | paused
          finished 1 signal=9 | 1 ended failed
      """)
  }

  @Test func `what has not begun or is stopping cannot be paused`() {
    Scenario.play(
      """
      slots 1
      0s  submit a   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b   | 2 submitted slots, accepted 2
          pause 2    | cannot pause 2
          said       | job 2 has not started, so there is nothing to pause; jobrun hold 2 keeps it from starting
          resume 2   | not paused 2
          started 1  | 1 started
          cancel 1   | 1 stopping user by 10s, done 1, stop 1 user by 10s
          pause 1    | cannot pause 1
          said       | job 1 is already stopping
          pause 7    | not live 7
          resume 7   | not live 7
      """)
  }

  @Test func `one that is being launched is paused as soon as it has begun`() {
    Scenario.play(
      """
      0s  submit a        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          pause 1         |
          started 1       | 1 started, 1 paused, done 1, pause 1
          submit b        | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          pause 2         |
          finished 2 cannot | 2 ended failed, not live 2
          submit c        | 3 submitted slots, 3 launched, accepted 3, launch 3.1
          pause 3         |
          resume 3        | done 3, done 3
          started 3       | 3 started
      """)
  }

  /// Its program has paused it, or the runner would not say so.
  @Test
  func `what runs in a program of its own is paused when its program has done so, and not by all`()
  {
    Scenario.play(
      """
      0s  submit a hosted | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          pause 1         | cannot pause 1
          started 1       | 1 started
          pause all       | changed
          show 1          | running
          resume 1        | not paused 1
          pause 1         | 1 paused, done 1, pause 1
          pause all       | changed 1
          resume 1        | 1 resumed, done 1, resume 1
          show 1          | running
      """)
  }

  @Test
  func `paused again without its slot it gives that away, and with it takes one that is free`() {
    Scenario.play(
      """
      slots 1
      0s  submit a      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1     | 1 started
          submit b      | 2 submitted slots, accepted 2
          pause 1 keep  | 1 paused with its slot, done 1, pause 1
          pause 1 keep  | done 1
      1s  pause 1       | 1 paused, 2 launched, done 1, pause 1, launch 2.1
          started 2     | 2 started
          pause 1       | done 1
          pause 1 keep  | cannot pause 1
          said          | job 1 is paused and has no slot to keep: the only slot is taken by job 2
          resume 1      | 1 paused until slots, done 1
          pause 1 keep  | cannot pause 1
          pause 1       | 1 paused, done 1, pause 1
          finished 2    | 2 ended succeeded
          pause 1 keep  | 1 paused with its slot, done 1, pause 1
          submit c      | 3 submitted slots, accepted 3
          resume 1      | 1 resumed, done 1, resume 1
      """)
  }

  @Test func `a quiet phase that a pause made longer is so for the next runner, too`() {
    Scenario.play(
      """
      500s restore 1 a running since=0s paused=450s mark=2 quiet=100s extended=450s silent=30s onstall=continue |
           sampled 1 0/0 quiet=100s       |
      549s sampled 1 0/0 quiet=100s       |
      571s sampled 1 0/0 quiet=100s       | 1 warned
      """)
  }

  @Test func `a pause makes a quiet phase longer that the next runner was told of`() {
    Scenario.play(
      """
      100s restore 1 a paused at=50s since=0s mark=1 quiet=100s silent=30s onstall=continue |
      500s resume 1                       | 1 resumed, done 1, resume 1
      560s sampled 1 0/0 quiet=100s       |
      571s sampled 1 0/0 quiet=100s       | 1 warned
      """)
  }

  @Test func `all that run are paused and go on, what waits goes on waiting`() {
    Scenario.play(
      """
      slots 2
      0s  submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1        | 1 started
          submit b         | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit c         | 3 submitted slots, accepted 3
          pause all keep   | 1 paused with its slot, changed 1 2, pause 1
          started 2        | 2 started, 2 paused with its slot, pause 2
          resume all       | 1 resumed, 2 resumed, changed 1 2, resume 1, resume 2
      """)
  }

  @Test func `the next runner knows what is paused, and its clocks stand where they stood`() {
    Scenario.play(
      """
      slots 1
      100s restore 1 a paused at=40s since=34s mark=3 limit=10s |
           restore 2 b queued   |
           deadline             | 2 launched, launch 2.1
           show 1               | paused
           started 2            | 2 started
      200s resume 1             | 1 paused until slots, done 1
      300s finished 2           | 2 ended succeeded, 1 resumed, resume 1
           next                 | 304s
      """)
  }

  @Test func `the next runner lets go on what was to go on`() {
    Scenario.play(
      """
      slots 1
      100s restore 1 a paused at=40s since=34s mark=3 wanted |
           deadline | 1 resumed, resume 1
      """)
  }

  @Test func `a pause with a length ends by itself, and its clocks stood still`() {
    Scenario.play(
      """
      0s   submit a limit=10s onstall=continue | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1       | 1 started
      4s   pause 1 for=60s | 1 paused until 64s, done 1, pause 1
           next            | 64s
      63s  deadline        |
           show 1          | paused
      64s  deadline        | 1 resumed, resume 1
           next            | 70s
      """)
  }

  @Test func `when its time is up it waits for a slot as any other that resumes`() {
    Scenario.play(
      """
      slots 1
      0s   submit a        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1       | 1 started
           submit b onstall=continue | 2 submitted slots, accepted 2
           pause 1 for=60s | 1 paused until 60s, 2 launched, done 1, pause 1, launch 2.1
           started 2       | 2 started
      60s  deadline        | 1 paused until slots
           next            | none
           why 1           | the only slot is taken by job 2
      90s  finished 2      | 2 ended succeeded, 1 resumed, resume 1
      """)
  }

  @Test func `another pause replaces the time of the first, and a resume ends it early`() {
    Scenario.play(
      """
      0s   submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1        | 1 started
           pause 1 for=60s  | 1 paused until 60s, done 1, pause 1
      10s  pause 1 for=60s  | 1 paused until 70s, done 1, pause 1
           next             | 70s
           pause 1          | 1 paused, done 1, pause 1
           next             | none
           pause 1 for=1s   | 1 paused until 11s, done 1, pause 1
           resume 1         | 1 resumed, done 1, resume 1
      60s  pause 1 for=5s keep | 1 paused with its slot until 65s, done 1, pause 1
           cancel 1         | 1 stopping user by 70s, done 1, stop 1 user by 70s, resume 1
           next             | 70s
      """)
  }

  @Test func `the time of one that is being launched begins with its pause`() {
    Scenario.play(
      """
      0s   submit a        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           pause 1 for=60s |
      5s   started 1       | 1 started, 1 paused until 65s, done 1, pause 1
           pause all for=9s | 1 paused until 14s, changed 1, pause 1
      14s  deadline        | 1 resumed, resume 1
      """)
  }

  @Test func `the next runner ends a pause at its time, or at once if that has passed`() {
    Scenario.play(
      """
      100s restore 1 a paused at=40s since=34s mark=3 limit=10s until=130s |
           restore 2 b paused at=40s since=34s mark=3 until=90s onstall=continue |
           deadline | 2 resumed, resume 2
           next     | 130s
      130s deadline | 1 resumed, resume 1
           next     | 134s
      """)
  }

  @Test func `while the runner is paused nothing starts, and what is paused may go on`() {
    Scenario.play(
      """
      slots 1
      0s  submit a       | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1      | 1 started
          submit b       | 2 submitted slots, accepted 2
          pause runner   | 2 queued paused
          why 2          | the runner is paused; jobrun runner resume lets jobs start again
          submit c fail  | refused immediateRunIneligible
          said           | the runner is paused; jobrun runner resume lets jobs start again; submit with --strategy queue to wait
          pause 1        | 1 paused, done 1, pause 1
          resume 1       | 1 resumed, done 1, resume 1
          finished 1     | 1 ended succeeded
          resume runner  | 2 launched, launch 2.1
      """)
  }
}

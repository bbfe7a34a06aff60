import JobCore
import Testing

@Suite struct StopTests {
  @Test func `cancelling stops with a grace, then kills, and again when that does not help`() {
    Scenario.play(
      """
      0s    submit a grace=10s  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
            started 1           | 1 started
      5s    cancel 1            | 1 stopping user by 15s, done 1, stop 1 user by 15s
            cancel 1            | already stopping 1
            next                | 15s
      15s   deadline            | kill 1
            next                | 20s
      20s   deadline            | kill 1
            next                | 30s
      30s   deadline            | kill 1
      50s   deadline            | kill 1
      90s   deadline            | kill 1
            next                | 150s
      95s   finished 1 signal=9 | 1 ended cancelled user
            next                | none
            cancel 1            | not live 1
      """)
  }

  @Test func `a second Ctrl-C kills now, whatever the first reason was`() {
    Scenario.play(
      """
      0s   submit a           | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1          | 1 started
      5s   cancel 1           | 1 stopping user by 15s, done 1, stop 1 user by 15s
      6s   cancel 1 now       | 1 stopping user by 6s, done 1, kill 1
           cancel 1 now       | already stopping 1
      0s   submit b           | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 2          | 2 started
      7s   simulate expire 2  | 2 stopping silent by 17s, done 2, stop 2 silent by 17s
           cancel 2 now       | 2 stopping silent by 7s, done 2, kill 2
           finished 2         | 2 ended expired silent
      8s   submit c           | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           cancel 3 now       | 3 stopping user by 8s, done 3, stop 3 user by 8s, kill 3
      """)
  }

  @Test func `a job that is still being launched can be stopped, and stays so when it starts`() {
    Scenario.play(
      """
      0s   submit a            | 1 submitted slots, 1 launched, accepted 1, launch 1.1
      1s   cancel 1            | 1 stopping user by 11s, done 1, stop 1 user by 11s
      2s   started 1           |
           show 1              | stopping user
           sampled 1 3/10      |
      3s   finished 1 exit=0   | 1 ended cancelled user
      """)
  }

  @Test func `a queued job is cancelled at once`() {
    Scenario.play(
      """
      slots 1
      0s submit a    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b    | 2 submitted slots, accepted 2
         submit c    | 3 submitted slots, accepted 3
         cancel 2    | 2 ended cancelled user, done 2
         queue       | 3
         cancel 7    | not live 7
      """)
  }

  @Test func `to cancel all ends what waits, newest first, and then stops what runs`() {
    Scenario.play(
      """
      slots 1
      0s submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         started 1        | 1 started
         submit b         | 2 submitted slots, accepted 2
         submit c at=60s  | 3 submitted notBefore, accepted 3
         submit d after=1 | 4 submitted after, accepted 4
         submit e after=4 | 5 submitted after, accepted 5
      1s cancel all       | 5 ended cancelled user, 4 ended cancelled user, 3 ended cancelled user,
                          | 2 ended cancelled user, 1 stopping user by 11s, cancelled 1 2 3 4 5,
                          | stop 1 user by 11s
         cancel all       | cancelled 1
         cancel all now   | 1 stopping user by 1s, cancelled 1, kill 1
         cancel all now   | cancelled 1
      2s finished 1 signal=9 | 1 ended cancelled user
         next             | none
         cancel all       | cancelled
      """)
  }

  @Test func `nothing starts while all are cancelled, whatever falls free`() {
    Scenario.play(
      """
      slots 2
      0s submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b         | 2 submitted slots, 2 launched, accepted 2, launch 2.1
         submit a replace | 1 stopping superseded by 10s, 3 submitted after, accepted 3,
                          | stop 1 superseded by 10s
         submit d         | 4 submitted slots, accepted 4
      1s cancel all now   | 4 ended cancelled user, 3 ended cancelled user,
                          | 1 stopping superseded by 1s, 2 stopping user by 1s, cancelled 1 2 3 4,
                          | kill 1, stop 2 user by 1s, kill 2
      2s finished 1 signal=9 | 1 ended cancelled superseded
         finished 2 signal=9 | 2 ended cancelled user
         next             | none
      """)
  }

  @Test func `to cancel who holds up others lets those go on`() {
    Scenario.play(
      """
      slots 3
      0s machine gpus=2  |
         submit a gpu    | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
         submit b gpu=2  | 2 submitted gpu, accepted 2
         submit c gpu    | 3 submitted gpu, accepted 3
         cancel 2        | 2 ended cancelled user, 3 launched, done 2, launch 3.1 on 1
      """)
  }

  @Test func `a shutdown stops what runs and keeps what waits for the next runner`() {
    Scenario.play(
      """
      slots 1
      0s   submit a            | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b            | 2 submitted slots, accepted 2
           submit c            | 3 submitted slots, accepted 3
           hold 3              | 3 held held, done 3
      1s   shutdown            | 1 stopping runnerStop by 11s, stop 1 runnerStop by 11s
           submit d            | refused unavailable
      2s   finished 1          | 1 ended interrupted runnerStop
           queue               | 2 3
           next                | none
           shutdown discard    | 2 ended interrupted runnerStop, 3 ended interrupted runnerStop
      """)
  }

  @Test func `a shutdown that discards the queue ends what waits, too, and takes nothing new`() {
    Scenario.play(
      """
      slots 2
      0s   submit a            | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b            | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           submit c            | 3 submitted slots, accepted 3
           started 1           | 1 started
      1s   finished 2 deferred=60s | 2 queued notBefore, 3 launched, launch 3.1
           submit d            | 4 submitted slots, accepted 4
      2s   shutdown discard    | 1 stopping runnerStop by 12s, 2 ended interrupted runnerStop,
                               | 3 stopping runnerStop by 12s, 4 ended interrupted runnerStop,
                               | stop 1 runnerStop by 12s, stop 3 runnerStop by 12s
           submit e            | refused unavailable
           said                | the runner is stopping; submit again once it has stopped
           shutdown discard    |
      3s   finished 1          | 1 ended interrupted runnerStop
           finished 3 deferred=1s | 3 ended interrupted runnerStop
           next                | none
      """)
  }
}

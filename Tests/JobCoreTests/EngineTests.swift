import JobCore
import Testing

/// Jobs that run elsewhere: their places, their waits, their looks and their ends.
@Suite struct EngineTests {
  @Test func `they hold nothing of this machine, and each engine has so many`() {
    Scenario.play(
      """
      slots 1
      0s  engines cluster=2 tower=1        |
          submit a                         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b on=cluster gpu=9        | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          submit c on=cluster              | 3 submitted slots, 3 launched, accepted 3, launch 3.1
          submit d on=cluster              | 4 submitted slots, accepted 4
          why 4                            | both slots on cluster are taken by jobs 2 and 3
          submit e on=tower                | 5 submitted slots, 5 launched, accepted 5, launch 5.1
          submit f                         | 6 submitted slots, accepted 6
          why 6                            | the only slot is taken by job 1
      1s  finished 2                       | 2 ended succeeded, 4 launched, launch 4.1
          finished 1                       | 1 ended succeeded, 6 launched, launch 6.1
      """)
  }

  @Test func `an engine that nobody knows is refused, and one that is gone is said to be`() {
    Scenario.play(
      """
      0s  submit a on=cluster              | refused unavailable
          said                             | no engine is called cluster; config.json lists the engines
          engines cluster=1                |
          submit a on=cluster              | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          submit b on=cluster              | 2 submitted slots, accepted 2
          engines                          |
          why 2                            | no engine is called cluster any more; config.json lists the engines
      """)
  }

  @Test
  func `what has not begun there is queued for people, says why, and is stopped as what runs`() {
    Scenario.play(
      """
      0s  engines cluster=1                |
          submit a on=cluster              | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          pending 1                        | 1 away engine
          pending 1                        |
          pending 1 why=down               | 1 away engine
          pending 1 for=held               | 1 away held
      1s  cancel 1                         | 1 stopping user by 11s, done 1, stop 1 user by 11s
          finished 1 revoked               | 1 ended cancelled user
      """)
  }

  @Test func `what waits there is held, moved and edited there or nowhere`() {
    Scenario.play(
      """
      slots 1
      0s  engines cluster=1                |
          submit a on=cluster              | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          hold 1                           | refused notWaiting
          said                             | job 1 is in the queue of cluster already, where it cannot be held;
                                           | cancel it and submit it again
          pending 1                        | 1 away engine
          release 1                        | refused notWaiting
          said                             | job 1 is in the queue of cluster already, where it cannot be
                                           | released; cancel it and submit it again
          move 1 first                     | refused notWaiting
          edit 1 title=x                   | refused notWaiting
          said                             | job 1 is in the queue of cluster already, where it cannot be edited;
                                           | cancel it and submit it again
          submit b on=cluster              | 2 submitted slots, accepted 2
          hold 2                           | 2 held held, done 2
          move 2 after 1                   | refused notWaiting
          said                             | job 1 is in the queue of cluster already; job 2 can be moved
                                           | behind a waiting job, or to the front
          started 1                        | 1 started
          hold 1                           | refused notWaiting
          said                             | job 1 has already started; only a waiting job can be held
      """)
  }

  @Test func `it begins late or twice, and what comes of another attempt is not heard`() {
    Scenario.play(
      """
      0s  engines cluster=1                |
          submit a on=cluster resumable    | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          pending 1                        | 1 away engine
          started 1                        | 1 started
          started 1                        |
          pending 1                        |
          finished 1 engine=preempted      | 1 queued slots, 1 launched, launch 1.2
          finished 1 engine=lost           |
          pending 1.1                      |
          started 1.2                      | 1 started
          finished 1.2                     | 1 ended succeeded
      """)
  }

  @Test(arguments: [
    ("cancelled", "cancelled user"), ("preempted", "interrupted preempted"),
    ("lost", "interrupted supervisorLost"), ("memory", "failed"), ("limit", "expired limit"),
    ("refused", "refused engine"),
  ])
  func `what the engine ended is judged by that`(_ end: String, _ outcome: String) {
    Scenario.play(
      """
      0s  engines cluster=1                |
          submit a on=cluster              | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1                        | 1 started
          finished 1 engine=\(end)        | 1 ended \(outcome)
      """)
  }

  @Test func `silence counts from what the node knows, and without a look nobody is condemned`() {
    Scenario.play(
      """
      0s   engines cluster=1                      |
           submit a on=cluster silent=30s         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                              | 1 started
      10s  sampled 1 reports=1 ago=6s             |
           # The runner, or the way there, stands still for long: a look is asked for, and none comes.
      60s  deadline                               | sample 1
      90s  deadline                               | sample 1
      91s  sampled 1 reports=2 ago=85s            | 1 warned
           # It lives there, as two looks show, and says nothing.
      92s  sampled 1 reports=2 ago=86s            | 1 stopping silent by 102s, stop 1 silent by 102s
      """)
  }

  @Test func `output is a sign of life there, too, whatever is known of a page that nobody writes`()
  {
    Scenario.play(
      """
      0s   engines cluster=1                      |
           submit a on=cluster silent=30s plain   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                              | 1 started
      20s  sampled 1 log=10 ago=20s               |
      31s  sampled 1 log=20 ago=31s               |
      60s  sampled 1 log=30 ago=60s               |
      61s  sampled 1 log=30 ago=61s               |
      """)
  }

  @Test func `once its work is done no limit and no silence ends it, and its question is closed`() {
    Scenario.play(
      """
      0s   engines tower=1                               |
           submit a on=tower limit=10s silent=30s        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                                     | 1 started
           worked 1.2                                    |
      5s   worked 1                                      | 1 advanced
           worked 1                                      |
      10s  deadline                                      |
      60s  deadline                                      |
           sampled 1 ago=60s                             |
      61s  sampled 1 ago=61s                             |
      90s  cancel 1                                      | 1 stopping user by 100s, done 1, stop 1 user by 100s
           worked 1                                      |
           finished 1                                    | 1 ended cancelled user
      """)
  }

  @Test func `a runner that comes back while its files are fetched ends it for no limit either`() {
    Scenario.play(
      """
      0s   engines tower=1                               |
      99s  restore 1 a running on=tower limit=10s since=1s worked |
           deadline                                      |
           worked 1                                      |
           finished 1 engine=lost                        | 1 ended interrupted supervisorLost
           restore 2 b running on=tower limit=10s since=1s |
           deadline                                      | 2 stopping limit by 109s, stop 2 limit by 109s
      """)
  }

  @Test func `the limit counts again for the next attempt`() {
    Scenario.play(
      """
      0s   engines tower=1                               |
           submit a on=tower limit=10s resumable         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                                     | 1 started
      1s   worked 1                                      | 1 advanced
           finished 1 engine=lost                        | 1 queued slots, 1 launched, launch 1.2
           started 1.2                                   | 1 started
      10s  deadline                                      | 1 stopping limit by 20s, stop 1 limit by 20s
      """)
  }

  @Test func `what had ended in time on a machine that was silent has not reached its limit`() {
    Scenario.play(
      """
      0s   engines tower=4                               |
           submit a on=tower limit=10s                   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b on=tower limit=10s                   | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           submit c on=tower                             | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           submit d on=tower limit=10s                   | 4 submitted slots, 4 launched, accepted 4, launch 4.1
      1s   started 1                                     | 1 started
           started 2                                     | 2 started
           started 3                                     | 3 started
           started 4                                     | 4 started
      11s  deadline                                      | 1 stopping limit by 21s, 2 stopping limit by 21s,
                                                         | 4 stopping limit by 21s, stop 1 limit by 21s,
                                                         | stop 2 limit by 21s, stop 4 limit by 21s
           cancel 3                                      | 3 stopping user by 21s, done 3, stop 3 user by 21s
      15s  finished 1 ran=9s                             | 1 ended succeeded
           finished 2 ran=11s                            | 2 ended expired limit
           finished 3 exit=1 ran=9s                      | 3 ended failed
      # Nobody knows when it ended.
           finished 4                                    | 4 ended expired limit
      """)
  }

  @Test func `a pause is refused with a sentence`() {
    Scenario.play(
      """
      0s  engines tower=1                  |
          submit a on=tower                | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1                        | 1 started
          pause 1                          | cannot pause 1
          said                             | job 1 runs on tower; only jobs on this machine can be paused
      """)
  }

  @Test func `a runner that comes back finds it where it was, without a slot`() {
    Scenario.play(
      """
      slots 1
      0s  engines tower=1                  |
          restore 1 a launching on=tower   |
          restore 2 b queued on=tower      |
          restore 3 c queued               |
          deadline                         | 3 launched, launch 3.1
          why 2                            | the only slot on tower is taken by job 1
          finished 1 revoked               | 1 queued slots, 1 launched, launch 1.2
      """)
  }

  @Test func `what was told as started is never begun anew`() {
    Scenario.play(
      """
      0s  engines tower=1                  |
          submit a on=tower resumable      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
          started 1                        | 1 started
          finished 1 revoked               | 1 ended interrupted supervisorLost
          said                             | it had started, and no record says how it ended
          submit b resumable               | 2 submitted slots, 2 launched, accepted 2, launch 2.1
          started 2                        | 2 started
          finished 2 revoked               | 2 ended interrupted supervisorLost
      """)
  }

  @Test func `who is told to end and cannot be reached is given up once its grace is over`() {
    Scenario.play(
      """
      0s   engines tower=1                 |
           submit a on=tower resumable     | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b on=tower               | 2 submitted slots, accepted 2
           started 1                       | 1 started
           # Nobody gives up what nobody has told to end.
           finished 1 engine=unseen        |
      1s   cancel 1                        | 1 stopping user by 11s, done 1, stop 1 user by 11s
           finished 1 engine=unseen        |
      11s  deadline                        | kill 1
           finished 1 engine=unseen        | 1 ended cancelled user, 2 launched, launch 2.1
           said                            | it was cancelled on request; why. Its end was not observed; it may still be running there
           started 2                       | 2 started
           cancel 2 now                    | 2 stopping user by 11s, done 2, stop 2 user by 11s, kill 2
           finished 2 engine=unseen        | 2 ended cancelled user
      """)
  }

  @Test func `a runner that is to stop waits no longer than their grace for those out of reach`() {
    Scenario.play(
      """
      0s   engines tower=2                 |
           submit a on=tower               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b on=tower               | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 1                       | 1 started
           pending 2                       | 2 away engine
           shutdown                        | 1 stopping runnerStop by 10s, 2 stopping runnerStop by 10s, stop 1 runnerStop by 10s, stop 2 runnerStop by 10s
      10s  deadline                        | kill 1, kill 2
           finished 1 engine=unseen        | 1 ended interrupted runnerStop
           finished 2 engine=unseen        | 2 ended interrupted runnerStop
      """)
  }
}

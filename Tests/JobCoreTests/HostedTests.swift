import JobCore
import Testing

/// Jobs in processes that the runner must not kill.
@Suite struct HostedTests {
  @Test func `a hosted task that says it is complete ends as it declared`() {
    Scenario.play(
      """
      0s   submit a hosted               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                     | 1 started
      1s   finished 1 complete success   | 1 ended succeeded
           submit b hosted               | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 2                     | 2 started
      2s   finished 2 complete failure   | 2 ended failed
           submit c hosted               | 3 submitted slots, 3 launched, accepted 3, launch 3.1
      3s   finished 3 complete deferred=9s | 3 queued notBefore
      12s  deadline                      | 3 queued slots, 3 launched, launch 3.2
           finished 3.2 complete         | 3 ended failed
           lingering                     |
      """)
  }

  @Test func `a process that is gone took its task with it, unless that had declared a success`() {
    Scenario.play(
      """
      0s   submit a hosted          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                | 1 started
           submit b hosted          | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           started 2                | 2 started
      1s   finished 1 gone          | 1 ended failed
           finished 2 gone success  | 2 ended succeeded
      """)
  }

  @Test func `a second submission of what runs waits for its end, and a third takes its place`() {
    Scenario.play(
      """
      0s   submit a hosted          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                | 1 started
           submit a hosted          | 2 submitted after, accepted 2
           submit a hosted          | 2 ended cancelled superseded, 3 submitted after, accepted 3
           submit a hosted fail     | refused immediateRunIneligible
      1s   finished 1 complete success | 1 ended succeeded, 3 queued slots, 3 launched, launch 3.1
           submit a                 | refused alreadyRunning
      """)
  }

  @Test func `what waits is withdrawn, what has begun is not`() {
    Scenario.play(
      """
      slots 1
      0s   submit a hosted          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           withdraw 1               | not live 1
           started 1                | 1 started
           withdraw 1               | not live 1
           submit a hosted          | 2 submitted after, accepted 2
           submit b                 | 3 submitted slots, accepted 3
           withdraw 2               | 2 ended cancelled user, done 2
           withdraw 3               | 3 ended cancelled user, done 3
           withdraw 7               | not live 7
      1s   finished 1 complete success | 1 ended succeeded
      """)
  }

  @Test func `after its grace a hosted job ends for people, and its slot and GPU stay taken`() {
    Scenario.play(
      """
      slots 1
      0s   machine gpus=1           |
           submit a hosted gpu      | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
           started 1                | 1 started
           submit b                 | 2 submitted slots, accepted 2
           why 2                    | the only slot is taken by job 1
      5s   cancel 1                 | 1 stopping user by 15s, done 1, stop 1 user by 15s
      15s  deadline                 | kill 1
           finished 1 outlives      | 1 ended cancelled user
           lingering                | 1
           cancel 1                 | not live 1
           why 2                    | the only slot is taken by job 1
      60s  finished 1 outlives      |
           lingering                | 1
      99s  finished 1 gone          | 2 launched, released 1, launch 2.1
           finished 1 gone          |
      """)
  }

  @Test func `a GPU that a hosted process did not give back goes to nobody else`() {
    Scenario.play(
      """
      slots 3
      0s   machine gpus=1           |
           submit a hosted gpu      | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
           started 1                | 1 started
           simulate expire 1        | 1 stopping silent by 10s, done 1, stop 1 silent by 10s
      10s  deadline                 | kill 1
           finished 1 outlives      | 1 ended expired silent
           submit b gpu             | 2 submitted gpu, accepted 2
           why 2                    | GPU 0 (H200) is held by job 1, which has ended but left a process running
      20s  finished 1 complete success | released 1, probe
           machine gpus=1           | 2 launched, launch 2.1 on 0
      """)
  }

  @Test func `a task that had declared how it ended has let go, also when nobody heard it`() {
    Scenario.play(
      """
      0s   submit a hosted               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                     | 1 started
      5s   cancel 1                      | 1 stopping user by 15s, done 1, stop 1 user by 15s
      15s  deadline                      | kill 1
           finished 1 outlives success 4/4 | 1 ended succeeded
           lingering                     |
      """)
  }

  @Test func `what only waits for a process ends with it, and what it was offered stays taken`() {
    Scenario.play(
      """
      slots 1
      0s   submit a hosted  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b hosted  | 2 submitted slots, accepted 2
           submit c         | 3 submitted slots, accepted 3
           lost 2           | 2 ended interrupted supervisorLost
           said             | process 7 has ended
           lost 3           |
           lost 1           | 1 ended interrupted supervisorLost
           lingering        | 1
           finished 1 gone  | 3 launched, released 1, launch 3.1
           lost 3           |
      """)
  }

  @Test func `a running task is not ended by the loss of its connection`() {
    Scenario.play(
      """
      0s   submit a hosted  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1        | 1 started
           lost 1           |
           show 1           | running
           finished 1 outlives |
           show 1           | running
      """)
  }

  @Test func `what lingered under an earlier runner stays taken under the next`() {
    Scenario.play(
      """
      slots 1
      0s   restore 4 a lingering hosted gpu holds=0 |
           restore 5 b queued                       |
           deadline                                 |
           lingering                                | 4
           why 5                                    | the only slot is taken by job 4
           redo 4 a                                 | refused alreadyRunning
      9s   finished 4 gone                          | 5 launched, released 4, launch 5.1
      """)
  }
}

import JobCore
import Testing

/// Requests that wait for a time of day.
///
/// In the tables the clock of the machine shows how long after
/// midnight it is: `clock 60s`, `at=60s`; the first column is awake time, as everywhere.
@Suite struct ScheduleTests {
  @Test func `a request starts when its time has come, and not before`() {
    Scenario.play(
      """
      slots 1
      0s   clock 100s                |
           submit a refresh at=110s  | 1 submitted notBefore, accepted 1
           why 1                     | its time has not come yet
           show 1                    | queued notBefore
           alarm                     | 110s
           next                      | none
      9s   clock 109s                |
      10s  clock 110s                | 1 queued slots, 1 launched, launch 1.1
           alarm                     | none
      """)
  }

  @Test func `a time that is past delays nothing`() {
    Scenario.play(
      """
      0s   clock 100s                    |
           submit a processing at=100s   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b at=99s               | 2 submitted slots, 2 launched, accepted 2, launch 2.1
      """)
  }

  @Test func `a core that was never told the time starts nothing early`() {
    Scenario.play(
      """
      0s   submit a at=5s   | 1 submitted notBefore, accepted 1
           alarm            | 5s
           clock 60s        | 1 queued slots, 1 launched, launch 1.1
      """)
  }

  @Test func `somebody who sets the clock moves what waits for it, not what waited`() {
    Scenario.play(
      """
      slots 1
      0s   clock 100s          |
           submit a at=3600s   | 1 submitted notBefore, accepted 1
           submit b at=3601s   | 2 submitted notBefore, accepted 2
      1s   clock 3600s         | 1 queued slots, 1 launched, launch 1.1
      2s   clock 100s          |
           show 1              | launching
           alarm               | 3601s
      3s   clock 9999s         | 2 queued slots
           clock 100s          |
           show 2              | queued slots #1
      """)
  }

  @Test func `requests due close together share a wake-up, one alone has its own`() {
    Scenario.play(
      """
      slots 4
      0s   clock 0s            |
           submit a at=1000s   | 1 submitted notBefore, accepted 1
           alarm               | 1000s
           submit b at=1030s   | 2 submitted notBefore, accepted 2
           submit c at=1060s   | 3 submitted notBefore, accepted 3
           submit d at=1061s   | 4 submitted notBefore, accepted 4
           # A minute is the most that the first may be late.
           alarm               | 1060s
      9s   clock 1060s         | 1 queued slots, 2 queued slots, 3 queued slots, 1 launched, 2 launched,
                               | 3 launched, launch 1.1, launch 2.1, launch 3.1
           alarm               | 1061s
      """)
  }

  @Test func `a short delay is kept to the tenth`() {
    Scenario.play(
      """
      0s   clock 0s            |
           submit a at=10s     | 1 submitted notBefore, accepted 1
           submit b at=11s     | 2 submitted notBefore, accepted 2
           submit c at=12s     | 3 submitted notBefore, accepted 3
           alarm               | 11s
      """)
  }

  @Test func `what its time released waits for its conditions and its turn`() {
    Scenario.play(
      """
      slots 1
      0s   clock 0s                         |
           machine battery                  |
           submit a processing power at=5s  | 1 submitted notBefore, accepted 1
      5s   clock 5s                         | 1 queued power, probe
           why 1                            | there is no external power: the battery discharges
           next                             | 10s
      6s   machine                          | 1 launched, launch 1.1
      """)
  }

  @Test func `a job that must start at once or never cannot wait for a time`() {
    Scenario.play(
      """
      0s   clock 0s             |
           submit a fail at=5s  | refused immediateRunIneligible
           said                 | its time has not come yet; submit with --strategy queue to wait
           submit a fail at=0s  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
      """)
  }

  @Test func `one refresh of a bundle may wait, and a new one of its name takes its place`() {
    Scenario.play(
      """
      0s   clock 0s                      |
           submit a refresh at=5s        | 1 submitted notBefore, accepted 1
           submit b refresh at=6s        | refused tooManyPendingTaskRequests
           said                          | 1 refresh request of test is already waiting, and 1 is the limit; \
      cancel one (jobrun pending shows them) or submit later
           submit b refresh of=test.else at=6s | 2 submitted notBefore, accepted 2
           submit a refresh at=7s        | 1 ended cancelled superseded, 3 submitted notBefore, accepted 3
           submit c processing at=8s     | 4 submitted notBefore, accepted 4
      7s   clock 7s                      | 2 queued slots, 3 queued slots, 2 launched, 3 launched,
                                         | launch 2.1, launch 3.1
           submit b refresh at=9s        | 5 submitted notBefore, accepted 5
      """)
  }

  @Test func `ten processing requests of a bundle may wait`() {
    let ten = (1...10).map {
      "submit p\($0) processing at=5s | \($0) submitted notBefore, accepted \($0)"
    }
    Scenario.play(
      """
      0s clock 0s |
      \(ten.joined(separator: "\n"))
      submit p11 processing at=5s   | refused tooManyPendingTaskRequests
      submit p10 processing at=6s   | 10 ended cancelled superseded, 11 submitted notBefore, accepted 11
      cancel 1                      | 1 ended cancelled user, done 1
      submit p11 processing at=5s   | 12 submitted notBefore, accepted 12
      redo 1 p1 processing attempt=1 | refused tooManyPendingTaskRequests
      """)
  }

  @Test func `a task that runs may ask for its next turn, which follows on it`() {
    Scenario.play(
      """
      0s   clock 0s                 |
           submit a refresh         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
      1s   started 1                | 1 started
           submit a refresh at=10s  | 2 submitted notBefore, accepted 2
           alarm                    | none
           submit a refresh at=20s  | 2 ended cancelled superseded, 3 submitted notBefore, accepted 3
           submit b refresh at=20s  | refused tooManyPendingTaskRequests
      2s   finished 1               | 1 ended succeeded, 3 queued notBefore
           alarm                    | 20s
      20s  clock 20s                | 3 queued slots, 3 launched, launch 3.1
      21s  started 3                | 3 started
           submit a refresh         | 4 submitted after, accepted 4
           why 4                    | waits for job 3 to stop
      22s  finished 3               | 3 ended succeeded, 4 queued slots, 4 launched, launch 4.1
      """)
  }

  @Test func `a request follows on one of its name that tries again`() {
    Scenario.play(
      """
      0s   clock 0s                          |
           submit a processing retries=1     | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                         | 1 started
           submit a processing               | 2 submitted after, accepted 2
      1s   finished 1 exit=1                 | 1 queued retry
           why 2                             | waits for job 1 to stop
      2s   deadline                          | 1 queued slots, 1 launched, launch 1.2
           started 1.2                       | 1 started
      3s   finished 1.2                      | 1 ended succeeded, 2 queued slots, 2 launched, launch 2.1
      """)
  }

  @Test func `a task runs no longer than its kind allows`() {
    Scenario.play(
      """
      0s   submit a refresh limit=30s   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           started 1                    | 1 started
           next                         | 30s
      30s  deadline                     | 1 stopping limit by 40s, stop 1 limit by 40s
           said                         | it reached its limit of 30 s
      31s  finished 1                   | 1 ended expired limit
      """)
  }

  @Test func `what waits for its time is cancelled, and leaves nothing behind`() {
    Scenario.play(
      """
      0s   clock 0s                |
           submit a refresh at=5s  | 1 submitted notBefore, accepted 1
           cancel 1                | 1 ended cancelled user, done 1
           alarm                   | none
           redo 1 a refresh at=5s attempt=1 | 1 queued notBefore, done 1
           alarm                   | 5s
      """)
  }

  @Test
  func `a stop of the runner keeps what waits for its moment, also where the queue is discarded`() {
    Scenario.play(
      """
      slots 1
      0s   clock 0s                   |
           submit a                   | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b                   | 2 submitted slots, accepted 2
           submit c processing        | 3 submitted slots, accepted 3
           submit d refresh at=5s     | 4 submitted notBefore, accepted 4
           shutdown discard           | 1 stopping runnerStop by 10s, 2 ended interrupted runnerStop, \
      stop 1 runnerStop by 10s
           alarm                      | none
      1s   finished 1                 | 1 ended interrupted runnerStop
           queue                      | 3 4
      6s   clock 6s                   |
           simulate launch 3          | refused unavailable
           said                       | the runner is stopping; try again once it has stopped
      """)
  }

  @Test func `the next runner goes on with the same times`() {
    Scenario.play(
      """
      slots 1
      0s   clock 100s                           |
           restore 1 a queued processing at=90s  |
           restore 2 b queued processing at=110s |
           restore 3 c running refresh           |
           restore 4 c queued refresh at=105s    |
           show 2                                | queued notBefore
           show 4                                | queued notBefore
           deadline                              |
           alarm                                 | 110s
           show 1                                | queued slots #1
           submit d refresh                      | refused tooManyPendingTaskRequests
      """)
  }
}

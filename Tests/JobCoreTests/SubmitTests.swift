import JobCore
import SimulatedWorld
import Testing

@Suite struct SubmitTests {
  @Test func `a job starts at once while slots are free, and waits its turn after that`() {
    Scenario.play(
      """
      0s submit a      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         why 1         | nothing
         started 1     | 1 started
      1s submit b      | 2 submitted slots, 2 launched, accepted 2, launch 2.1
      2s submit c      | 3 submitted slots, accepted 3
         why 3         | both slots are taken by jobs 1 and 2
      3s submit d      | 4 submitted slots, accepted 4
         show 3        | queued slots #1
         show 4        | queued slots #2
         queue         | 3 4
         finished 1    | 1 ended succeeded, 3 launched, launch 3.1
         show 4        | queued slots #1
         why 4         | both slots are taken by jobs 2 and 3
      """)
  }

  @Test func `what must start now is refused when slots are taken, and leaves no trace`() {
    Scenario.play(
      """
      slots 1
      0s submit a         | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit b fail    | refused immediateRunIneligible
         said             | the only slot is taken by job 1; submit with --strategy queue to wait
         queue            |
         submit c         | 2 submitted slots, accepted 2
         finished 1       | 1 ended succeeded, 2 launched, launch 2.1
         finished 2       | 2 ended succeeded
         submit d fail    | 3 submitted slots, 3 launched, accepted 3, launch 3.1
      """)
  }

  @Test func `the same key is the same submission while its job lives`() {
    Scenario.play(
      """
      0s submit a key=k  | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit a key=k  | duplicate 1
         submit b key=k  | duplicate 1
         finished 1      | 1 ended succeeded
         submit a key=k  | 2 submitted slots, 2 launched, accepted 2, launch 2.1
      """)
  }

  @Test func `a queued job gives way to a newer one with its identifier, which goes to the back`() {
    Scenario.play(
      """
      slots 1
      0s submit x          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit a          | 2 submitted slots, accepted 2
         submit b          | 3 submitted slots, accepted 3
      1s submit a          | 2 ended cancelled superseded, 4 submitted slots, accepted 4
         said              | job 4 took its place
         queue             | 3 4
      2s submit b keep     | kept 3
         submit b replace  | 3 ended cancelled superseded, 5 submitted slots, accepted 5
         queue             | 4 5
         show 2            | not live
      """)
  }

  @Test func `a running job is not replaced unless that is asked for`() {
    Scenario.play(
      """
      0s submit a          | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         started 1         | 1 started
      1s submit a          | refused alreadyRunning
         said              | job 1 with the identifier test.a is still running; submit with --if-exists keep or replace
         submit a keep     | kept 1
      2s submit a replace  | 1 stopping superseded by 12s, 2 submitted after, accepted 2,
                           | stop 1 superseded by 12s
         why 2             | waits for job 1 to stop
         show 2            | queued after
         submit a keep     | kept 2
      3s submit b          | 3 submitted slots, 3 launched, accepted 3, launch 3.1
      4s finished 1        | 1 ended cancelled superseded, 2 queued slots, 2 launched, launch 2.1
      """)
  }

  @Test func `what waits for a replaced job can be replaced or cancelled itself`() {
    Scenario.play(
      """
      slots 1
      0s submit a               | 1 submitted slots, 1 launched, accepted 1, launch 1.1
         submit a replace       | 1 stopping superseded by 10s, 2 submitted after, accepted 2,
                                | stop 1 superseded by 10s
      1s submit a               | 2 ended cancelled superseded, 3 submitted after, accepted 3
         submit a fail          | refused immediateRunIneligible
         said                   | it would have to wait for job 1 to stop; submit with --strategy queue to wait
         cancel 3               | 3 ended cancelled user, done 3
      2s submit a               | refused alreadyRunning
         submit a replace fail  | refused immediateRunIneligible
         submit a replace       | 4 submitted after, accepted 4
      3s finished 1             | 1 ended cancelled superseded, 4 queued slots, 4 launched, launch 4.1
      """)
  }

  @Test func `a full queue refuses what would have to wait`() {
    var configuration = Scheduler.Configuration(slots: 1)
    configuration.queueLimit = 1
    var scenario = Scenario(
      core: Scheduler(configuration: configuration, firstNumber: JobNumber(1)))
    var seen: [String] = []
    for line in ["submit a", "submit b", "submit c", "submit b"] {
      guard let event = try? scenario.event(line.split(separator: " ").map(String.init)) else {
        continue
      }
      let effects = scenario.core.handle(event, at: scenario.now)
      seen += effects.compactMap { if case .reply(_, let reply) = $0 { reply.text } else { nil } }
    }
    #expect(
      seen == ["accepted 1", "accepted 2", "refused tooManyPendingTaskRequests", "accepted 3"])
  }
}

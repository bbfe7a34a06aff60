import JobCore
import JobWire
import Testing

@testable import jobrun

/// The options of a job in `jobrun show`.
struct JobFactsTests {
  private func facts(_ change: (inout Submission.Options) -> Void) -> [String: String] {
    var job = Sample.job()
    var options = Submission.Options(speaksPage: false)
    change(&options)
    job.terms.options = options
    return Dictionary(JobFacts.all(job).map { ($0.name, $0.value) }) { first, _ in first }
  }

  private static let names = [
    "limit", "grace", "retries", "resumable", "if it stalls", "stalls after", "expires after",
  ]

  @Test func `of a job of which nothing was asked only the grace is told`() {
    let facts = facts { _ in }
    #expect(Self.names.filter { facts[$0] != nil } == ["grace"])
    #expect(facts["grace"] == "10 s")
  }

  @Test func `all that was asked is told with its unit`() {
    let facts = facts {
      $0.limit = .minutes(90)
      $0.grace = .seconds(2)
      $0.retries = 3
      $0.retryDelay = .minutes(1)
      $0.resumable = true
      $0.onStall = .stop
      $0.stallAfter = .seconds(45)
      $0.silentAfter = .minutes(2)
    }
    #expect(
      Self.names.map { facts[$0] } == [
        "90 min", "2 s", "3, 1 min apart", "yes", "stop", "45 s", "2 min of silence",
      ])
  }

  @Test func `variables are told by name, and who waits for it by number`() {
    var job = Sample.job()
    job.terms.environment = ["PYTHONUNBUFFERED=1", "TOKEN", "LANG"]
    job.terms.awaitedBy = [13, 14, 15, 20].map { JobNumber($0) }
    let facts = Dictionary(JobFacts.all(job).map { ($0.name, $0.value) }) { first, _ in first }
    #expect(facts["environment"] == "PYTHONUNBUFFERED=1")
    #expect(facts["variables"] == "TOKEN, LANG")
    #expect(facts["awaited by"] == "13-15, 20")
  }

  @Test func `what travels with it is told as a shell would take it`() {
    var job = Sample.job()
    job.terms.options = Submission.Options(speaksPage: false)
    (job.terms.send, job.terms.fetch) = (["data", "a b"], ["out"])
    let facts = Dictionary(JobFacts.all(job).map { ($0.name, $0.value) }) { first, _ in first }
    #expect(facts["sends"] == "data, 'a b'")
    #expect(facts["fetches"] == "out")
  }

  @Test func `a row of a table, which does not tell what was asked, has no such facts`() {
    var job = Sample.job()
    job.terms.options = nil
    #expect(JobFacts.all(job).allSatisfy { !Self.names.contains($0.name) })
  }
}

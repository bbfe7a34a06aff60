import JobCore
import JobWire
import Testing

@testable import jobrun

/// Finding jobs by name, and the columns of a list.
struct JobNameTests {
  private func job(_ number: UInt64, _ title: String, definition: String? = nil) -> JobStatus {
    var job = Sample.job(.running, title: title)
    job.number = JobNumber(number)
    job.identifier = "io.example.\(definition ?? "run").k\(number)"
    job.definition = definition
    return job
  }

  private var jobs: [JobStatus] {
    [
      job(1, "Trip", definition: "export"), job(2, "Trip two"),
      job(3, "Backup", definition: "copy"),
    ]
  }

  @Test(arguments: [
    ("Trip", 1 as UInt64), ("export", 1), ("trip t", 2), ("BACK", 3), ("k3", 3),
    ("io.example.copy", 3),
    ("cop", 3),
  ])
  func `a name or its beginning means`(text: String, number: UInt64) throws {
    #expect(try JobName.find(text, among: jobs, ended: { [] })?.number == JobNumber(number))
  }

  @Test func `what fits several live jobs is refused, with all of them`() throws {
    #expect(try JobName.find("nothing", among: jobs, ended: { [] }) == nil)
    let error = try #require(throws: WireError.self) {
      try JobName.find("tri", among: jobs, ended: { [] })
    }
    #expect(error.code == .usage)
    #expect(error.message.contains("1 (Trip), 2 (Trip two)"))
  }

  @Test func `of ended jobs of one name the latest is meant`() throws {
    let ended = [job(9, "Trip", definition: "export"), job(4, "Trip", definition: "export")]
    #expect(try JobName.find("export", among: [], ended: { ended })?.number == JobNumber(9))
    #expect(try JobName.find("exp", among: [], ended: { ended })?.number == JobNumber(9))
    #expect(throws: WireError.self) { try JobName.find("t", among: [], ended: { jobs }) }
  }

  @Test func `a title that the jobs of one submission share means all of them`() {
    func frame(_ place: UInt64, of stem: String, from first: UInt64, _ title: String) -> JobStatus {
      var job = job(first - 1 + place, title)
      job.identifier = "io.jobrun.run.\(stem).\(place)"
      job.terms.batchSize = 40
      return job
    }
    let early = (1...3).map { frame($0, of: "a", from: 10, "Render frame \($0)") }
    let late = (5...7).map { frame($0, of: "b", from: 50, "Render frame \($0)") }
    let latestFirst = Array((early + late).reversed())
    #expect(JobName.batch("render fr", among: latestFirst)?.description == "50 to 89")
    #expect(JobName.batch("Render frame 6", among: latestFirst) == nil)
    #expect(JobName.batch("Render", among: [late[0], early[0]]) == nil)
    let same = (1...2).map { frame($0, of: "c", from: 90, "Same") }
    #expect(JobName.batch("Same", among: same.reversed())?.description == "90 to 129")
    #expect(JobName.batch("Trip", among: jobs) == nil)
  }

  @Test func `the end of an identifier that nobody chose is no beginning of a name`() throws {
    var victim = job(5, "Victim")
    victim.identifier = "io.jobrun.run.qmadgye7"
    let last = job(4, "qm")
    #expect(try JobName.find("qm", among: [victim], ended: { [] }) == nil)
    #expect(try JobName.find("qm", among: [victim], ended: { [last] })?.number == JobNumber(4))
    #expect(try JobName.find("qmadgye7", among: [victim], ended: { [] })?.number == JobNumber(5))
    #expect(try JobName.find("vic", among: [victim], ended: { [last] })?.number == JobNumber(5))
  }

  @Test func `who is called so comes before who begins so, though it has ended`() throws {
    let (live, ended) = (job(5, "Trip two"), job(4, "Trip"))
    #expect(try JobName.find("Trip", among: [live], ended: { [ended] })?.number == JobNumber(4))
  }

  @Test(arguments: ["12", "@", "@~1", "", "-"])
  func `no name at all`(text: String) {
    #expect(!JobName.isName(text))
  }

  @Test func `columns are what was asked for, whole and without tabs`() throws {
    var job = job(7, "a\tb")
    job.progress = JobProgress(completed: 1, total: 3)
    let columns = try JobColumn.list("number,title,percent,total,outcome,elapsed")
    #expect(
      columns.map { $0.text(of: job, at: Sample.now) } == ["7", "a b", "33", "3", "", "42.0"])
    let error = try #require(throws: WireError.self) { try JobColumn.list("number,titel") }
    #expect(error.message.contains("\"titel\"") && error.message.contains("title"))
  }

  @Test func `the columns keep their order for ever`() {
    let names = """
      number,identifier,definition,title,subtitle,state,outcome,position,percent,completed,\
      total,unit,rate,eta,elapsed,attempt,exitCode,signal,pid,submitted,started,ended,reason,\
      message,log,command,directory,priority,group,engine,node
      """
    #expect(JobColumn.allCases.map(\.rawValue).joined(separator: ",") == names)
  }
}

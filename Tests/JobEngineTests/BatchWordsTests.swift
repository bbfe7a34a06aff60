import JobCore
import JobEngine
import JobWire
import Testing

/// Batch systems that are described by their settings: what they are asked, and their answers.
///
/// The answers of all but Grid Engine and OAR were written after the formats of these systems, and not captured: none
/// of them is tested for real.
struct BatchWordsTests {
  private func preset(_ name: String) throws -> BatchSystem {
    try #require(BatchSystem.presets.first { $0.name == name }?.system)
  }

  @Test(
    arguments: [
      ("gridengine", "7\n", "7"),
      ("pbs", "1234.server.example.org\n", "1234"),
      ("lsf", "Job <4711> is submitted to default queue <normal>.\n", "4711"),
      ("flux", "f2oWdjGGeM\n", "f2oWdjGGeM"),
      (
        "oar",
        "[ADMISSION RULE] Set default walltime to 7200.\nGenerate a job key...\nOAR_JOB_ID=42\n",
        "42"
      ),
      ("gridengine", "<html>\n", nil), ("lsf", "", nil),
    ] as [(String, String, String?)])
  func `answers to a submission have its number`(
    _ name: String, _ answer: String, _ id: String?
  ) throws {
    #expect(BatchReader(try preset(name)).id(in: Array(answer.utf8)) == id)
  }

  @Test(
    arguments: [
      (
        "gridengine",
        """
        job-ID  prior   name       user         state submit/start at     queue                          slots ja-task-ID
        -----------------------------------------------------------------------------------------------------------------
              1 0.50000 jobrun.12. me           r     11/26/2026 06:10:57 all.q@n1                           2
             12 0.00000 a r b      me           hqw   11/26/2026 06:10:57                                    1
             13 0.55500 jobrun.14. me           Eqw   11/26/2026 06:10:57                                    1
             14 0.55500 jobrun.15. me           dr    11/26/2026 06:10:57 all.q@n1                           1

        """, ["1 running", "12 pending", "13 unknown", "14 running"]
      ),
      (
        "pbs",
        """

        server:
                                                                    Req'd  Req'd   Elap
        Job ID          Username Queue    Jobname    SessID NDS TSK Memory Time  S Time
        --------------- -------- -------- ---------- ------ --- --- ------ ----- - -----
        1234.server     me       workq    jobrun.12*  20641   1   4    8gb 01:03 R 00:00
        1235.server     me       workq    jobrun.13.    --    1   1    --  01:03 Q   --
        1236.server     me       workq    jobrun.14.  20700   1   1    --  01:03 F 00:02

        """, ["1234 running", "1235 pending", "1236 over"]
      ),
      (
        "lsf", "4711 RUN\n4712 PEND\n4713 EXIT\n4714 UNKWN\n",
        ["4711 running", "4712 pending", "4713 over", "4714 unknown"]
      ),
      ("lsf", "No unfinished job found\n", []),
      (
        "flux", "f2oWdjGGeM R\nf2oWdjGGeN PD\nf2oWdjGGeP CA\n",
        ["f2oWdjGGeM running", "f2oWdjGGeN pending", "f2oWdjGGeP over"]
      ),
      (
        "oar",
        """
        Job id     Name           User           Submission Date     S Queue
        ---------- -------------- -------------- ------------------- - ----------
        42         jobrun.12.1    me             2026-11-26 06:10:57 R default
        43         jobrun.13.1    me             2026-11-26 06:10:58 W default
        44         jobrun.14.1    me             2026-11-26 06:10:59 E default

        """, ["42 running", "43 pending", "44 over"]
      ),
    ] as [(String, String, [String])])
  func `lists are read`(_ name: String, _ list: String, _ rows: [String]) throws {
    let found = try #require(BatchReader(try preset(name)).rows(in: Array(list.utf8)))
    #expect(found.map { "\($0.id) \($0.phase)" } == rows)
  }

  @Test(arguments: [
    ("gridengine", "Following jobs do not exist: \n4711\n", true),
    ("gridengine", "error: unable to send message to qmaster using port 6444\n", false),
    ("gridengine", "", false), ("pbs", "Following jobs do not exist: \n4711\n", false),
  ])
  func `only an answer that there is no such job says that`(
    _ name: String, _ answer: String, _ isGone: Bool
  ) throws {
    #expect(BatchReader(try preset(name)).saysGone(Array(answer.utf8)) == isGone)
  }

  /// As OAR 2.5.9 answers.
  @Test(
    arguments: [
      (0, "3          jobrun.1.1     root           2026-11-26 14:00:20 W default   \n", "there"),
      (0, "3          jobrun.1.1     root           2026-11-26 14:00:20 L default   \n", "there"),
      (0, "3          jobrun.1.1     root           2026-11-26 14:00:20 E default   \n", "over E"),
      (0, "3          jobrun.1.1     root           2026-11-26 14:00:20 T default   \n", "over T"),
      (0, "", "there"), (0, "DB connection error, exiting.\n", "there"),
      (
        1, "2026-11-26 14:00:32> [3] FRAG_JOB_REQUEST: User root requested to frag the job 3\n",
        "nowhere"
      ),
      (111, "DB connection error, exiting.\n", "unknown"), (nil, "", "unknown"),
    ] as [(Int32?, String, String)])
  func `OAR tells where a job is that its list does not show`(
    _ code: Int32?, _ answer: String, _ place: String
  ) throws {
    let told =
      switch BatchReader(try preset("oar")).whereabouts(code, Array(answer.utf8)) {
      case .unknown: "unknown"
      case .nowhere: "nowhere"
      case .there: "there"
      case .over(let row): "over \(row.state)"
      }
    #expect(told == place)
  }

  private func request(_ system: BatchSystem) -> BatchRequest {
    var launch = EngineLaunch(
      EngineAttempt(JobNumber(12), 1), title: "a", subtitle: "", bytes: 0)
    (launch.processors, launch.memoryBytes, launch.gpuCount) = (4, 8 << 30, 2)
    launch.limitMilliseconds = 5_400_000
    var greeting = EngineGreeting(store: "s", engine: "e", folder: "/f")
    (greeting.partition, greeting.options) = ("long", ["-l", "a b=it's"])
    return BatchRequest(system: system, greeting: greeting, launch: launch)
  }

  @Test(arguments: [
    (
      "gridengine",
      "'-l' 'a b=it'\\''s' -q 'long' -pe smp 4 -l h_vmem=2048M -l gpu=2 -l h_rt=5580"
    ),
    ("pbs", "'-l' 'a b=it'\\''s' -q 'long' -l walltime=01:33:00"),
    (
      "lsf",
      "'-l' 'a b=it'\\''s' -q 'long' -n 4 -R 'span[hosts=1]' -M 8192MB -R 'rusage[mem=8192MB]'"
        + " -gpu num=2 -W 93"
    ),
    ("flux", "'-l' 'a b=it'\\''s' -q 'long' -c 4 -g 2 -t 93m"),
    ("oar", "'-l' 'a b=it'\\''s' -q 'long'"),
  ])
  func `what a job requests is said in the system's words`(_ name: String, _ options: String) throws
  {
    #expect(request(try preset(name)).options == options)
  }

  @Test func `what has a place of its own in the submission is said there`() throws {
    let request = request(try preset("pbs"))
    #expect(request.part(.cpu, isPlaced: true) == "4")
    #expect(request.part(.memory, isPlaced: true) == ":mem=8192mb")
    #expect(request.part(.gpu, isPlaced: true) == ":ngpus=2")
    var modest = request
    (modest.launch.processors, modest.launch.memoryBytes, modest.launch.gpuCount) = (0, 0, 0)
    #expect(modest.part(.cpu, isPlaced: true) == "1")
    #expect(modest.part(.memory, isPlaced: true) == "")
    let other = self.request(try preset("oar"))
    #expect(
      other.part(.cpu, isPlaced: true) + other.part(.limit, isPlaced: true) == "4,walltime=01:33:00"
    )
  }
}

import JobCore
import JobEngine
import JobWire
import Testing

/// Parsing of the output of Slurm's commands.
struct SlurmWordsTests {
  @Test(arguments: [
    // Reasons of the job itself are permanent; reasons of other jobs pass.
    ("PartitionTimeLimit", QueueReason.Kind.never), ("QOSMaxMemoryPerJob", .never),
    ("AccountNotAllowed", .never), ("DependencyNeverSatisfied", .never),
    ("Resources", .waits(.engine)), ("Priority", .waits(.engine)), ("None", .waits(.engine)),
    ("AssocGrpCpuLimit", .waits(.engine)), ("QOSMaxJobsPerUserLimit", .waits(.engine)),
    ("BeginTime", .waits(.engine)), ("JobHeldUser", .waits(.held)),
    ("JobHeldAdmin", .waits(.held)), ("launch failed requeued held", .waits(.held)),
    ("SomethingOfTheNextRelease", .waits(.engine)), ("", .waits(.engine)),
  ])
  func `a word of Slurm's for why a job waits is a reason of ours`(
    _ word: String, _ kind: QueueReason.Kind
  ) {
    #expect(QueueReason(slurm: word).kind == kind)
  }

  @Test func `an unknown reason is told as it came`() {
    #expect(QueueReason(slurm: "ReqNodeNotAvail, Reserved").sentence == "ReqNodeNotAvail, Reserved")
  }

  @Test(
    arguments: [
      (0, "4711\n", "", SubmissionAnswer.accepted(id: "4711")),
      (0, "4711;cluster\n", "", .accepted(id: "4711")),
      (0, "<html>", "", .unknown("its answer is malformed")),
      (0, "", "", .unknown("its answer is malformed")),
      (
        1, "",
        "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
        .unknown("Batch job submission failed: Socket timed out on send/recv operation")
      ),
      (
        1, "", "sbatch: error: Unable to contact slurm controller (connect failure)",
        .unknown("Unable to contact slurm controller (connect failure)")
      ),
      (
        1, "", "sbatch: error: If munged is up, restart with --num-threads=10",
        .unknown("If munged is up, restart with --num-threads=10")
      ),
      (1, "", "sbatch: error: QOSMaxSubmitJobPerUserLimit", .later("QOSMaxSubmitJobPerUserLimit")),
      (
        1, "", "sbatch: error: Resource temporarily unavailable",
        .later("Resource temporarily unavailable")
      ),
      (
        1, "", "sbatch: error: invalid partition specified: gpu",
        .refused("invalid partition specified: gpu")
      ),
      (
        1, "",
        "sbatch: unrecognized option '--qso=x'\nTry \"sbatch --help\" for more information",
        .refused("unrecognized option '--qso=x'")
      ),
      (
        1, "",
        "Invalid time specification (pos=0): never\nsbatch: error: Invalid --begin specification",
        .refused("Invalid time specification (pos=0): never; Invalid --begin specification")
      ),
      (
        1, "",
        "sbatch: error: invalid partition specified: nn\nsbatch: error: Batch job submission failed: Invalid partition name specified",
        .refused(
          "invalid partition specified: nn; Batch job submission failed: Invalid partition name specified"
        )
      ),
      (1, "", "", .refused("it ended with 1")),
    ] as [(Int32, String, String, SubmissionAnswer)])
  func `what sbatch answers is sure, unsure or for later`(
    _ code: Int32, _ output: String, _ errors: String, _ verdict: SubmissionAnswer
  ) {
    var answer = QueueAnswer(code: code)
    answer.output = Array(output.utf8)
    answer.errors = Array(errors.utf8)
    #expect(SubmissionAnswer(answer, id: SlurmDialect.id(in: answer)) == verdict)
  }

  @Test func `a command that was killed may have been heard`() {
    #expect(SubmissionAnswer(QueueAnswer(), id: nil) == .unknown("no answer came in time"))
  }

  @Test func `rows of the queue are read, whatever somebody else calls his jobs`() throws {
    let output = """
      4711|jobrun.abc.12.1|RUNNING|1700000000|n1|1700000060|p|None
      4712_[3-5,9%2]|jobrun.abc.b0011|PENDING|N/A||N/A|p,high|Resources
      4714|jobrun.abc.13.1|RUNNING|1700000000|n1|NONE|p|None
      4715|jobrun.abc.14.1|RUNNING|1700000000|n1|9223372036854775807|p|None
      4716|jobrun.abc.15.1|RUNNING|1700000000|n1|-1|p|None
      4713|a name
      of two|lines|with bars|RUNNING|1|n1|2|p|None

      """
    let rows = try #require(SqueueRow.all(in: Array(output.utf8)))
    #expect(rows.map(\.id) == ["4711", "4712_[3-5,9%2]", "4714", "4715", "4716"])
    // A job without a limit has no end, and neither has one with an absurd limit.
    #expect(rows.map(\.end) == [1_700_000_060, nil, nil, nil, nil])
    #expect(rows[1].partition == "p,high")
    #expect(rows[0].isRunning && rows[0].start == 1_700_000_000)
    #expect(
      rows[1].isPending && rows[1].start == nil && rows[1].reason == QueueReason(slurm: "Resources")
    )
  }

  @Test(
    arguments: [
      (
        0, "JobId=7 JobName=jobrun.a.b.1.1 JobState=PENDING Reason=None\n", "",
        QueueWhereabouts.there
      ),
      (0, "JobId=7 JobName=jobrun.a.b.1.1 JobState=RUNNING NodeList=n1\n", "", .there),
      (
        0, "JobId=7 JobName=jobrun.a.b.1.1 JobState=CANCELLED ReqNodeList=n1 NodeList=(null)\n", "",
        .over(SqueueRow.row(id: "", name: "", state: "CANCELLED", node: ""))
      ),
      (
        0, "JobId=7 JobName=jobrun.a.b.1.1 JobState=CANCELLED ReqNodeList=(null) NodeList=n1\n", "",
        .over(SqueueRow.row(id: "", name: "", state: "CANCELLED", node: "n1"))
      ),
      // A controller that was killed gives numbers again.
      (0, "JobId=7 JobName=jobrun.a.b.1.12 JobState=PENDING\n", "", .nowhere),
      (0, "JobId=7 JobName=train JobState=RUNNING\n", "", .nowhere),
      (1, "", "slurm_load_jobs error: Invalid job id specified\n", .nowhere),
      (
        1, "", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
        .unknown
      ),
      (0, "", "", .unknown), (1, "", "", .unknown),
    ] as [(Int32, String, String, QueueWhereabouts)])
  func `what Slurm has by its number is told apart from what it has lost`(
    _ code: Int32, _ output: String, _ errors: String, _ whereabouts: QueueWhereabouts
  ) {
    var answer = QueueAnswer(code: code)
    answer.output = Array(output.utf8)
    answer.errors = Array(errors.utf8)
    #expect(QueueWhereabouts(slurm: answer, name: "jobrun.a.b.1.1") == whereabouts)
  }

  @Test(
    arguments: [
      (
        "slurmstepd: error: *** JOB 4711 ON n1 CANCELLED AT 2026-11-24T04:00:00 DUE TO TIME LIMIT ***",
        "JOB 4711 ON n1 CANCELLED AT 2026-11-24T04:00:00 DUE TO TIME LIMIT"
      ),
      (
        "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=4711.batch. Some of your processes may"
          + " have been killed by the cgroup out-of-memory handler.",
        "Detected 1 oom-kill event(s) in StepId=4711.batch. Some of your processes may have been killed by"
          + " the cgroup out-of-memory handler."
      ),
      (
        "slurmstepd-n1: error: Job 4711 exceeded memory limit (2048 > 1024), being killed",
        "Job 4711 exceeded memory limit (2048 > 1024), being killed"
      ),
      (
        "slurmstepd: error: *** JOB 4711 ON n1 CANCELLED AT 2026-11-24T04:00:00 DUE TO NODE FAILURE, SEE"
          + " SLURMCTLD LOG FOR DETAILS ***\njobrun-shim: something\n",
        "JOB 4711 ON n1 CANCELLED AT 2026-11-24T04:00:00 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS"
      ),
      ("slurmstepd: error: *** JOB 4711 ON n1 CANCELLED AT 2026-11-24T04:00:00 ***", nil),
      // Of another element of the same array.
      ("slurmstepd: error: *** JOB 4712 ON n1 CANCELLED AT now DUE TO TIME LIMIT ***", nil),
      ("slurmstepd: error: *** JOB 14711 ON n1 CANCELLED AT now DUE TO TIME LIMIT ***", nil),
      ("jobrun-shim: error: 4711", nil), ("slurmstepd: error: ", nil), ("slurmstepd", nil),
      ("", nil),
    ] as [(String, String?)])
  func `why Slurm ended a job is what it wrote of that last`(_ log: String, _ reason: String?) {
    #expect(SlurmNodeLog.reason(in: Array(log.utf8), job: "4711") == reason)
  }

  @Test func `nothing is an empty queue, and nonsense is none`() {
    #expect(SqueueRow.all(in: []) == [])
    #expect(SqueueRow.all(in: Array("<html>500</html>\n".utf8)) == nil)
  }

  @Test(arguments: [
    ("4711", [] as [Int]), ("4711_7", [7]), ("4711_[0-3]", [0, 1, 2, 3]),
    ("4711_[0-2,7%2]", [0, 1, 2, 7]), ("4711_[8-4000000000]", [8, 9]), ("4711_[5-3]", []),
    ("4711_[x,2,-]", [2]), ("4711_[99]", []),
  ])
  func `elements of an array are those that the batch has`(_ id: String, _ indices: [Int]) {
    let found = SlurmElements.all(of: id, most: 10)
    #expect(found.job == "4711")
    #expect(found.indices == indices)
  }
}

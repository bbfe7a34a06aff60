import JobCore
import JobRunner
import JobRuntime
import JobWire
import Testing

/// The record of a job in a launch order, for a runner whose store is lost.
@Suite struct RecoveryRecordTests {
  @Test func `a job whose bundle lists an identifier of another is known again`() throws {
    var request = SubmitRequest(
      key: "abcdefghijklmnop", identifier: "com.example.other.refresh", title: "refresh",
      speaksPage: true)
    request.bundle = "org.example.app"
    request.isListed = true
    let job = LiveJob(request, try request.submission())
    let record = job.recovery(
      launched: WallTime(milliseconds: 1), at: Instant(nanoseconds: 1), boot: "a boot")
    let row = try RecoveryRecord(JobNumber(7), json: record.json[...]).record
    #expect(row.submission.identifier.text == "com.example.other.refresh")
    #expect(row.submission.bundle?.text == "org.example.app")
  }
}

import TestKit
import Testing

/// The remaining output with `--quiet` and `--id`.
@Suite struct QuietTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    // The start of a runner is told of when it takes longer than three seconds.
    try workshop.jobrun("list")
  }

  @Test func `of a success nothing is said, of a failure why`() throws {
    let good = try workshop.jobrun("run", "-q", "--", "sh", "-c", "echo done")
    #expect(good.status == 0 && good.output == "" && good.errors == "", "\(good)")
    let followed = try workshop.jobrun("run", "-q", "-f", "--", "sh", "-c", "echo done")
    #expect(followed.output == "done\n" && followed.errors == "", "\(followed)")
    let bad = try workshop.jobrun("run", "-q", "--", "sh", "-c", "echo 'E: disk on fire'; exit 3")
    #expect(bad.status == 3 && bad.output == "", "\(bad)")
    #expect(bad.errors.hasSuffix(": E: disk on fire\n"), "\(bad.errors)")
    let many = try workshop.jobrun("each", "-q", "--", "true", ":::", "1", "2")
    #expect(many.status == 0 && many.output == "" && many.errors == "", "\(many)")
  }

  @Test func `the number alone is what a script asks for`() throws {
    #expect(try workshop.jobrun("run", "-q", "--detach", "--", "true").output == "1\n")
    #expect(try workshop.jobrun("run", "--id", "--detach", "--", "true").output == "2\n")
    let second = try workshop.jobrun("run", "--id", "--after", "2", "--", "true")
    #expect(second.output == "3\n" && second.errors.contains("succeeded"), "\(second)")
    #expect(
      try workshop.jobrun("each", "--detach", "--id", "--", "true", ":::", "a", "b").output
        == "4-5\n")
    #expect(
      try workshop.jobrun("each", "--detach", "--", "true", ":::", "a", "b").output
        == "jobs 6–7\n")
  }
}

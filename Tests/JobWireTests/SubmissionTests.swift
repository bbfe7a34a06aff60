import JobCore
import JobWire
import Testing

@Suite struct SubmissionTests {
  @Test func `everything the core decides about is passed on`() throws {
    let request = Samples.submission
    let submission = try request.submission()
    #expect(submission.key == request.key)
    #expect(submission.identifier.text == request.identifier)
    #expect(submission.options.strategy == .fail)
    #expect(submission.options.ifExists == .keep)
    #expect(submission.options.requirements == request.options.requirements)
    #expect(submission.options.speaksPage)
    #expect(submission.options.onStall == .stop)
    #expect(submission.options.stallAfter == .seconds(5))
    #expect(submission.options.silentAfter == .minutes(2))
    #expect(submission.options.grace == .zero)
    #expect(submission.options.limit == .minutes(60))
    #expect(submission.options.resumable)
    #expect(submission.options.retries == 2)
    #expect(submission.options.kind == .processing)
    #expect(submission.bundle?.text == "io.jobrun.samples")
    #expect(submission.notBefore == Samples.submitted)
  }

  @Test(arguments: [
    (Submission.Kind.continued, nil), (.processing, Interval.minutes(10)), (.refresh, .seconds(30)),
  ])
  func `a request without a limit gets that of its kind`(
    kind: Submission.Kind, limit: Interval?
  ) throws {
    var request = Samples.submission
    request.options.kind = kind
    request.options.limit = nil
    #expect(try request.submission().options.limit == limit)
  }

  @Test func `a scheduled request names the bundle that it is under`() throws {
    var request = Samples.submission
    request.bundle = nil
    expect(request, says: "must name its bundle")
    request.bundle = "io jobrun"
    expect(request, says: "only letters, digits")
    request.bundle = "io.jobrun.sample"
    #expect { try request.submission() } throws: {
      ($0 as? WireError)?.code == .notPermitted
    }
    request.options.kind = .continued
    request.bundle = nil
    #expect(try request.submission().bundle == nil)
  }

  @Test func `a title may fill the page but not more`() throws {
    var request = Samples.submission
    request.title = String(repeating: "é", count: 126) + "x"
    _ = try request.submission()
    request.title += "x"
    expect(request, says: "the title has 254 bytes; 253")
    request = Samples.submission
    request.subtitle = String(repeating: "x", count: 254)
    expect(request, says: "the subtitle has 254 bytes; 253")
  }

  @Test(arguments: ["a\nb", "\u{1B}[2J", "\u{7F}", "\u{85}", "\u{2028}", "\u{0}"])
  func `what would act on a terminal is refused in a title`(title: String) {
    var request = Samples.submission
    request.title = title
    expect(request, says: "control character U+")
  }

  @Test(arguments: [
    "", "short", "0123456789abcde", String(repeating: "a", count: 65), "0123456789abcde-",
    "0123456789abcdeé",
  ])
  func `a key that could be guessed or mistaken is refused`(key: String) {
    var request = Samples.submission
    request.key = key
    expect(request, says: "16 to 64 letters and digits")
  }

  @Test func `a malformed identifier, and numbers out of range, are named`() {
    var request = Samples.submission
    request.identifier = "io.jobrun.samples.*"
    expect(request, says: "is a pattern")
    request = Samples.submission
    request.title = ""
    expect(request, says: "the title is empty")
    request = Samples.submission
    request.options.stallAfter = .zero
    expect(request, says: "stall-after must not be zero")
    request = Samples.submission
    request.options.limit = Interval(nanoseconds: .max)
    expect(request, says: "limit is longer than ten years")
    request = Samples.submission
    request.options.retries = -1
    expect(request, says: "retries is -1")
    request = Samples.submission
    request.options.requirements.gpuCount = -1
    expect(request, says: "asks for -1 gpus")
  }

  private func expect(_ request: SubmitRequest, says part: String) {
    do throws(WireError) {
      _ = try request.submission()
      Issue.record("\(request) was accepted")
    } catch {
      #expect(error.code == .usage)
      #expect(error.message.contains(part), "\(error.message)")
    }
  }
}

import JobCore
import JobRecognition
import Testing

/// A recorded output: its recogniser, and the counts on the way and at the end.
struct Recorded: CustomTestStringConvertible, Sendable {
  let file: String
  let recogniser: String
  /// Some of the counts, in the order in which they are seen.
  let onTheWay: [String]
  let last: String

  init(_ file: String, _ recogniser: String, _ onTheWay: [String], last: String) {
    self.file = file
    self.recogniser = recogniser
    self.onTheWay = onTheWay
    self.last = last
  }

  var testDescription: String { file }

  static let all = [
    Recorded(
      "curl", "curl", ["149504/5999616 bytes", "3149824/5999616 bytes"],
      last: "5999616/5999616 bytes"),
    Recorded(
      "curl-bar", "curl", ["250/10000 share", "1000/10000 share"], last: "10000/10000 share"),
    Recorded(
      "wget-dot", "wget", ["100/10000 share", "5000/10000 share"], last: "10000/10000 share"),
    Recorded("wget-pty", "wget", ["0/6000000 bytes"], last: "6000000/6000000 bytes"),
    Recorded(
      "rsync-progress2", "rsync", ["1600/10000 share", "3300/10000 share", "8300/10000 share"],
      last: "10000/10000 share"),
    // The second of seven entries (the folder is one) at 51 %: (2 + 0.51) / 7.
    Recorded(
      "rsync-P", "rsync", ["2857/10000 share", "3585/10000 share", "4285/10000 share"],
      last: "10000/10000 share"),
    Recorded(
      "rsync-P-one", "rsync", ["2700/10000 share", "5500/10000 share"], last: "10000/10000 share"),
    // 1.44 s and 6 s of 12.
    Recorded(
      "ffmpeg", "ffmpeg", ["1200/10000 share", "6266/10000 share"], last: "9966/10000 share"),
    Recorded("ffmpeg-progress", "ffmpeg", ["1440/0 items"], last: "11960/0 items"),
    Recorded("tqdm", "tqdm", ["2/60 items", "30/60 items"], last: "60/60 items"),
    Recorded("tqdm-bytes", "tqdm", ["300000/6000000 bytes"], last: "6000000/6000000 bytes"),
    Recorded(
      "tqdm-nested", "tqdm", ["0/5 items", "300/10000 share", "1100/10000 share"],
      last: "5/5 items"),
    Recorded("tqdm-open", "tqdm", ["2/0 items"], last: "40/0 items"),
    Recorded("pip-pty", "pip", ["7700000/19300000 bytes"], last: "19300000/19300000 bytes"),
    Recorded("pip-raw", "pip", ["262144/19292279 bytes"], last: "19292279/19292279 bytes"),
    Recorded(
      "apt", "apt", ["0/10000 share", "1111/10000 share", "3333/10000 share"],
      last: "10000/10000 share"),
    Recorded(
      "apt-pty", "apt", ["1111/10000 share", "4444/10000 share"], last: "10000/10000 share"),
    Recorded("ninja", "[n/m]", ["1/30 items", "15/30 items"], last: "30/30 items"),
    Recorded("ninja-pty", "[n/m]", ["0/30 items", "15/30 items"], last: "30/30 items"),
    Recorded("swift-build", "[n/m]", ["5/12 items", "22/22 items"], last: "22/22 items"),
    Recorded("make", "[n%]", ["700/10000 share", "5300/10000 share"], last: "10000/10000 share"),
    Recorded("ctest", "ctest", ["1/14 items", "13/14 items"], last: "14/14 items"),
    Recorded("cargo-pty", "cargo", ["0/10 items", "4/10 items"], last: "9/10 items"),
    Recorded("dd", "dd", ["1966080/0 bytes", "5373952/0 bytes"], last: "6000000/0 bytes"),
    Recorded(
      "osc", "OSC 9;4", ["1000/10000 share", "5000/10000 share"], last: "10000/10000 share"),
  ]
}

@Suite struct RecordedOutputTests {
  @Test(arguments: Recorded.all)
  func `what a real program wrote is recognised from its first to its last count`(
    _ recorded: Recorded
  ) throws {
    let fixture = try Fixture(recorded.file)
    let found = fixture.findings(step: 1)
    // apt reads its lists with a percentage before it prints its plan.
    let sure = found.drop { $0.recogniser == "percentage" }
    #expect(Set(sure.map(\.recogniser)) == [recorded.recogniser])
    let counts = found.map { "\($0.counts)" }
    #expect(counts.last == recorded.last)
    var rest = counts[...]
    for expected in recorded.onTheWay {
      let place = try #require(rest.firstIndex(of: expected), "\(expected) among \(counts)")
      rest = rest[place...]
    }
  }

  @Test(arguments: Recorded.all)
  func `how the output is cut makes no difference to the end`(_ recorded: Recorded) throws {
    let fixture = try Fixture(recorded.file)
    for step in [2, 7, 100, 4096] {
      #expect(fixture.findings(step: step).last.map { "\($0.counts)" } == recorded.last)
    }
  }

  @Test(arguments: Recorded.all)
  func `what is seen never goes back while its total stays, unless it is said`(_ recorded: Recorded)
    throws
  {
    // That there are more files than one is seen when the first is done.
    let found = try Fixture(recorded.file).findings(step: 1)
      .drop { recorded.file == "rsync-P" && $0.counts.completed != 2857 }
    for (before, after) in zip(found, found.dropFirst())
    where before.counts.total == after.counts.total && before.recogniser == after.recogniser
      && before.note == after.note
    {
      #expect(after.counts.completed >= before.counts.completed)
    }
  }

  @Test(arguments: Recorded.all)
  func `the last kilobyte alone tells the end, where the form needs nothing from before`(
    _ recorded: Recorded
  ) throws {
    var recogniser = OutputRecogniser()
    recogniser.skip()
    recogniser.read(try Fixture(recorded.file).bytes.suffix(1024), at: Instant(nanoseconds: 0))
    guard let finding = recogniser.finding else { return }
    #expect(finding.counts.completed > 0)
  }
}

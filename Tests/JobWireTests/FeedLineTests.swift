import JobCore
import JobWire
import Testing

@Suite struct FeedLineTests {
  private func written(_ line: FeedLine) -> String {
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    return text(bytes)
  }

  @Test func `each kind of line has its golden bytes`() {
    let job = Samples.queued
    let json = text(job.json)
    let event = FeedLine.event(sequence: 41, at: Samples.submitted, .stalled, job)
    #expect(
      written(event) == #"{"seq":41,"at":"2026-03-01T12:34:56.789Z","event":"stalled","job":"#
        + json + "}\n")
    #expect(written(.snapshot(job)) == #"{"event":"snapshot","job":"# + json + "}\n")
    #expect(written(.progress(job)) == #"{"event":"progress","job":"# + json + "}\n")
    let progress = JobProgress(completed: 1, total: 4)
    #expect(
      written(.brief(JobNumber(12), progress)) == #"{"event":"progress","number":12,"progress":"#
        + text(progress.json) + "}\n")
    #expect(
      written(.brief(JobNumber(12), nil))
        == #"{"event":"progress","number":12,"progress":null}"# + "\n")
    #expect(written(.gap(from: 3, to: 9)) == #"{"event":"gap","from":3,"to":9}"# + "\n")
  }

  @Test func `an event from the store has the same bytes as when it was live`() {
    var live: [UInt8] = Array("before\n".utf8)
    var stored = live
    FeedLine.event(sequence: 41, at: Samples.submitted, .ended, Samples.full).append(to: &live)
    FeedLine.appendEvent(
      sequence: 41, at: Samples.submitted, kind: "ended", jobJSON: Samples.full.json, to: &stored)
    #expect(text(stored) == text(live))
    #expect(text(live).hasPrefix("before\n{\"seq\":41,"))
  }

  @Test func `every kind of event comes back`() throws {
    let lines =
      Announcement.Kind.allCases.map {
        FeedLine.event(sequence: .max, at: Samples.submitted, $0, Samples.full)
      } + [
        .snapshot(Samples.queued), .progress(Samples.full), .gap(from: 1, to: 2),
        .dropped(at: Samples.submitted, identifier: "a.b", WireError(.unavailable, "it is off")),
        .brief(JobNumber(12), Samples.full.progress), .brief(JobNumber(12), nil),
      ]
    for expected in lines {
      let read = try RunnerLine(line: line(String(written(expected).dropLast())))
      #expect(read == .feed(expected))
    }
  }
}

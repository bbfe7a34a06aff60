import JobCore
import SimulatedWorld
import Testing

/// A story told to the core as a table: one line for each event, with the effects it must have.
///
/// ```
/// slots 1
/// 0s   submit a            | 1 submitted slots, 1 launched, accepted 1, launch 1.1
///      started 1           | 1 started
/// 2s   submit b            | 2 submitted slots, accepted 2
///      why 2               | the only slot is taken by job 1
/// ```
///
/// `slots 1` may be followed by `overtakings 2`: the number of overtakings before a job is lifted. A line
/// without a time happens at the time of the line before; a line that begins with `|` continues the effects;
/// `#` begins a comment. Beside events there are queries: `why N` (the pending reason or warning), `show N`
/// (state, attempt, position), `next` (the next deadline), `alarm` (the next time of day), `queue` (its order),
/// `said` (the sentence of the last refusal or stop). All invariants are checked after each line.
struct Scenario {
  struct Line {
    var number: Int
    var time: Interval?
    var words: [String]
    var expected: String
  }

  var core: Scheduler
  var now = Instant(nanoseconds: 0)
  var tag: UInt64 = 0
  var keys = 0
  var lastSentence = ""

  /// Plays `table` and records an issue for the first line that comes out otherwise.
  @discardableResult
  static func play(
    _ table: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Scenario {
    var lines = Scenario.lines(of: table)
    var configuration = Scheduler.Configuration(slots: 2)
    if let first = lines.first, first.words.first == "slots" {
      configuration.slots = Int(first.words[1]) ?? 2
      if first.words.count > 3, first.words[2] == "overtakings" {
        configuration.maximumOvertakes = Int(first.words[3]) ?? 10
      }
      lines.removeFirst()
    }
    var scenario = Scenario(
      core: Scheduler(configuration: configuration, firstNumber: JobNumber(1)))
    for line in lines {
      if let problem = scenario.play(line) {
        Issue.record("\(problem)", sourceLocation: sourceLocation)
        break
      }
    }
    return scenario
  }

  /// Plays one line; a sentence when it came out otherwise.
  private mutating func play(_ line: Line) -> Comment? {
    if let time = line.time { now = Instant(nanoseconds: time.nanoseconds) }
    let text = line.words.joined(separator: " ")
    do {
      let seen = try outcome(of: line.words)
      if seen != line.expected {
        return """
          line \(line.number): \(text)
            expected: \(line.expected)
            seen:     \(seen)
          """
      }
    } catch {
      return "line \(line.number): \(text): \(error)"
    }
    let broken = core.violatedInvariants
    return broken.isEmpty ? nil : "line \(line.number): \(text): \(broken)"
  }

  private mutating func outcome(of words: [String]) throws(BadLine) -> String {
    if let answer = try answer(to: words) { return answer }
    let effects = core.handle(try event(words), at: now)
    for effect in effects {
      switch effect {
      case .reply(_, .refused(let refusal)): lastSentence = refusal.message
      case .stop(_, let reason, _): lastSentence = reason.message
      case .announce(_, let announcement):
        if case .ended(_, let reason?) = announcement.state { lastSentence = reason.message }
      case .launch, .sample, .pause, .resume, .kill, .probe, .survey, .released: break
      case .reply(_, .cannotPause(_, let why)): lastSentence = why
      case .reply: break
      }
    }
    return effects.map(\.text).joined(separator: ", ")
  }

  /// The answer to a question about the core; nil when the line is an event.
  private func answer(to words: [String]) throws(BadLine) -> String? {
    switch words[0] {
    case "next":
      return core.nextDeadline.map { Interval(nanoseconds: $0.nanoseconds).text } ?? "none"
    case "alarm":
      return core.nextTimeOfDay.map { Interval.milliseconds(UInt64($0.milliseconds)).text }
        ?? "none"
    case "lingering": return core.lingeringNumbers.map(\.description).joined(separator: " ")
    case "queue": return core.queuedNumbers.map(\.description).joined(separator: " ")
    case "said": return lastSentence
    case "why", "show":
      guard let snapshot = core.snapshot(try number(words[1])) else { return "not live" }
      return words[0] == "show" ? snapshot.text : snapshot.why
    default: return nil
    }
  }

  private static func lines(of table: String) -> [Line] {
    var lines: [Line] = []
    for (index, raw) in table.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let halves = raw.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      var words = halves[0].split(separator: " ").map(String.init)
      let expected = halves.count > 1 ? trimmed(halves[1]) : ""
      if words.first == "#" || (words.isEmpty && halves.count == 1) { continue }
      if words.isEmpty, let last = lines.indices.last {
        lines[last].expected += (lines[last].expected.isEmpty ? "" : " ") + expected
        continue
      }
      let time = words.first.flatMap { Interval(text: $0) }
      if time != nil { words.removeFirst() }
      lines.append(Line(number: index + 1, time: time, words: words, expected: expected))
    }
    return lines
  }

  private static func trimmed(_ text: Substring) -> String {
    text.split(separator: " ").joined(separator: " ")
  }
}

/// A line of a scenario that makes no sense.
struct BadLine: Error, CustomStringConvertible {
  var description: String
}

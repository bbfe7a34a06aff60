import Foundation
import JobCore
import JobRecognition
import JobWire

/// The shown progress of one recorded run, beside the true one.
struct ShownRun {
  /// One sample of it.
  struct Look {
    var time: Double
    var finding: Finding?

    /// The drawn share while the job runs; nil without one.
    var share: Double? {
      // Complete counts are shown as complete, while the job continues.
      guard let finding, finding.counts.total > 0, !finding.counts.isComplete else { return nil }
      var progress = JobProgress(
        completed: finding.counts.completed, total: finding.counts.total, source: .output)
      progress.holdBeforeEnd()
      return progress.fraction
    }

    /// The size of one step of the program's count.
    var step: Double {
      guard let counts = finding?.counts, counts.unit == .items, counts.total > 0 else { return 0 }
      return 1 / Double(counts.total)
    }

    /// For a person who looks for the cause of a fault.
    var row: String {
      let counts = finding.map { "\($0.counts.completed)/\($0.counts.total) \($0.recogniser)" }
      return "\(time) \(text) \(counts ?? "")\n"
    }

    var text: String {
      guard let finding else { return "–" }
      let note = finding.note.map { $0.hasPrefix("reading") ? "" : " \($0)" } ?? ""
      if finding.counts.isComplete { return "goes on\(note)" }
      guard let share else { return note.isEmpty ? "amount" : String(note.dropFirst()) }
      return "\(Int(share * 100))\(note)"
    }
  }

  /// The quality of the whole run for a person who watches it.
  enum Verdict: String, CaseIterable {
    case right, silent, labelled, wrong
  }

  let cast: Cast
  private(set) var looks: [Look] = []
  /// The finding after the end.
  private(set) var last: Finding?
  /// Shown values that were wrong.
  private(set) var faults: [String] = []

  /// Seconds between two looks.
  private static let interval = 0.25
  static let marks = [0.1, 0.25, 0.5, 0.75, 0.9]
  /// Programs do not work at quite the same pace all the time, and write to a pipe in blocks.
  private static let unevenness = 0.06

  /// `grain`: leaps in which the program tells how far it is.
  init(_ cast: Cast, grain: Double = 0) {
    self.cast = cast
    watch(each: Self.interval)
    for look in looks {
      if let fault = fault(look, grain) { faults.append(fault) }
    }
    if cast.succeeded, let last, !Self.isWhole(last), last.counts.total > 0 {
      faults.append("\(cast.name) ends with \(last)")
    }
  }

  /// So many looks in the time of one, not judged.
  init(_ cast: Cast, looks count: Double) {
    self.cast = cast
    watch(each: Self.interval / count)
  }

  /// Takes looks all the way, and the last one after the end.
  private mutating func watch(each interval: Double) {
    let plan = MakeCommands(commands: 24, words: ["sleep"])
    let output =
      cast.name == "make" ? OutputRecogniser(only: plan) : OutputRecogniser(command: cast.command)
    var view = ExternalProgress(output, withFiles: true)
    var rest = cast.events[...]
    func instant(_ time: Double) -> Instant {
      Instant(nanoseconds: 1_000_000_000 + UInt64(time * 1e9))
    }
    var time = 0.0
    while time < cast.end {
      var files: [OpenFile]?
      while let next = rest.first, next.time <= time {
        rest.removeFirst()
        switch next.event {
        case .output(let bytes): view.receive(bytes, at: instant(time))
        case .files(let open): files = open
        }
      }
      view.rest(at: instant(time))
      if let files, view.wantsFiles { view.receive(files: files, at: instant(time)) }
      looks.append(Look(time: time, finding: view.finding))
      time += interval
    }
    for case (_, .output(let bytes)) in rest { view.receive(bytes, at: instant(cast.end)) }
    view.conclude(well: cast.succeeded, at: instant(cast.end))
    last = view.finding
  }

  /// The share must lie between the true values at the program's last output and now, give or take a step of
  /// its own count and an uneven pace.
  private func fault(_ look: Look, _ grain: Double) -> String? {
    guard let share = look.share else { return nil }
    // A part is not a share of the whole.
    if look.finding?.isPart == true, !cast.hasRounds { return nil }
    let step = max(look.step, grain) + Self.unevenness
    let spoke = cast.lastEvent(
      until: look.time, ofFiles: look.finding?.source == .file)
    let told = cast.share(at: spoke - 0.1)
    let most = max(cast.share(at: look.time), cast.share(at: spoke), told) + step
    let least = min(cast.share(at: look.time), told) - step
    if share <= 0.99, (least...most).contains(share) { return nil }
    return "\(cast.name) at \(look.time) s: \(look.text) shown, \(least)…\(most) true"
  }

  private static func isWhole(_ finding: Finding) -> Bool {
    finding.counts.total > 0 && finding.counts.completed >= finding.counts.total
  }

  /// The sample when this share of the work was done.
  func look(at mark: Double) -> Look? {
    let time = cast.time(of: mark)
    return looks.last { $0.time <= time }
  }

  var verdict: Verdict {
    if !faults.isEmpty { return .wrong }
    let seen = Self.marks.compactMap { look(at: $0) }.filter { $0.share != nil }
    if seen.isEmpty { return .silent }
    return seen.contains { $0.finding?.isPart == true } ? .labelled : .right
  }

  /// A row of the table: the shown value, and the true one in brackets.
  var row: String {
    let cells = Self.marks.map { mark in
      let shown = look(at: mark)?.text ?? "–"
      return "\(shown) (\(Int((cast.share(at: cast.time(of: mark)) * 100).rounded())))"
    }
    let ended = last.map { Self.isWhole($0) ? "whole" : "amount" } ?? "gone"
    let name = cast.name + (cast.source == "recorded" ? "" : " *")
    return Self.line([name, verdict.rawValue] + cells + [ended])
  }

  /// All runs, and the number of each kind.
  static func table(_ runs: [ShownRun]) -> String {
    let heading = line(
      ["run", "verdict"] + marks.map { "at \(Int($0 * 100)) %" } + ["at the end"])
    let counts = Verdict.allCases.map { verdict in
      "\(runs.count { $0.verdict == verdict }) \(verdict.rawValue)"
    }
    return heading + runs.map(\.row).joined() + "\(runs.count) runs: "
      + counts.joined(separator: ", ") + " (* made by hand)\n"
  }

  private static func line(_ cells: [String]) -> String {
    let widths = [26, 10, 19, 19, 19, 19, 19, 0]
    return zip(cells, widths).reduce(into: "") { line, cell in
      let text = String(cell.0.prefix(max(cell.1 - 1, 10)))
      line += text + String(repeating: " ", count: max(0, cell.1 - text.count))
    } + "\n"
  }
}

import Foundation
import JobCore
import JobRecognition
import JobWire
import Testing

/// What is shown of recorded runs, beside how far they really were.
struct ShownAndTrueTests {
  /// What a person sees of one look.
  private struct Look {
    var time: Double
    var finding: Finding?

    /// The share that is drawn while the job goes on; nil when none is.
    var share: Double? {
      // What is complete is told as complete, and the job goes on.
      guard let finding, finding.counts.total > 0, !finding.counts.isComplete else { return nil }
      var progress = JobProgress(
        completed: finding.counts.completed, total: finding.counts.total, source: .output)
      progress.holdBeforeEnd()
      return progress.fraction
    }

    /// How much one step of what the program counts is.
    var step: Double {
      guard let counts = finding?.counts, counts.unit == .items, counts.total > 0 else { return 0 }
      return 1 / Double(counts.total)
    }

    var text: String {
      guard let finding else { return "–" }
      let note = finding.note.map { $0.hasPrefix("reading") ? "" : " \($0)" } ?? ""
      if finding.counts.isComplete { return "goes on\(note)" }
      guard let share else { return note.isEmpty ? "amount" : String(note.dropFirst()) }
      return "\(Int(share * 100))\(note)"
    }
  }

  /// Programs that tell too little to be sure of anything: no share may be shown.
  private static let unsure: Set = [
    "zip", "restic", "cargo", "borg", "qemu-img-plain", "cat-two", "badblocks-write", "by-hand-npm",
  ]
  /// Programs that tell their progress in leaps: apt's packages are of any size, shred speaks every
  /// five seconds.
  private static let grain = [
    "apt": 0.14, "pytest": 0.07, "by-hand-docker-pull": 0.09, "gdal": 0.05, "rsync-P": 0.13,
    "restic-json": 0.04,
    "aria2c": 0.05, "handbrake-two": 0.05, "zstd": 0.05,
  ]
  /// Runs so short that the third number, which makes progress of a guess, comes late.
  private static let brief: Set = ["restic-pty", "zstd"]
  /// Seconds between two looks.
  private static let interval = 0.25
  private static let marks = [0.1, 0.25, 0.5, 0.75, 0.9]

  /// Takes looks all the way, and the last one after the end.
  private static func looks(at cast: Cast) -> (looks: [Look], last: Finding?) {
    let plan = MakeCommands(commands: 24, words: ["sleep"])
    let output = cast.name == "make" ? OutputRecogniser(only: plan) : OutputRecogniser()
    var view = OutsideView(output, withFiles: true)
    var looks: [Look] = []
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
      if let files, view.wantsFiles { view.receive(files: files, at: instant(time)) }
      looks.append(Look(time: time, finding: view.finding))
      time += interval
    }
    for case (_, .output(let bytes)) in rest { view.receive(bytes, at: instant(cast.end)) }
    view.conclude(well: cast.succeeded, at: instant(cast.end))
    return (looks, view.finding)
  }

  @Test func `what is shown of recorded runs is true, and none is over 99 % before its end`() {
    #expect(Cast.all.count >= 60)
    var table =
      "program                 by hand  at 10 %     25 %        50 %        75 %        90 %        end\n"
    for cast in Cast.all {
      let (looks, last) = Self.looks(at: cast)
      let shown = Self.marks.map { mark in
        looks.last { $0.time <= cast.time(of: mark) }?.text ?? "–"
      }
      let ended = last.map { Self.isWhole($0) ? "whole" : "amount" } ?? "gone"
      table += Self.row([cast.name, cast.source == "recorded" ? "" : "yes"] + shown + [ended])
      for look in looks { Self.check(look, of: cast) }
      #expect(
        !cast.succeeded || last.map { Self.isWhole($0) || $0.counts.total == 0 } ?? true,
        "\(cast.name) ends with \(String(describing: last))")
    }
    FileHandle.standardOutput.write(Data(table.utf8))
  }

  @Test(arguments: Cast.all.filter { !unsure.union(brief).contains($0.name) })
  fileprivate func `half-way through, a program that tells how far it is is understood`(
    _ cast: Cast
  ) {
    let look = Self.looks(at: cast).looks.last { $0.time <= cast.time(of: 0.55) }
    #expect(look?.share != nil, "\(cast.name)")
  }

  @Test(arguments: Cast.all.filter { unsure.contains($0.name) })
  fileprivate func `what is not sure is not shown`(_ cast: Cast) {
    #expect(Self.looks(at: cast).looks.allSatisfy { $0.share == nil }, "\(cast.name)")
  }

  /// The share lies between what was true when the program spoke last and what is true now, give or
  /// take a step of its own count and an uneven pace.
  private static func check(_ look: Look, of cast: Cast) {
    guard let share = look.share else { return }
    #expect(share <= 0.99, "\(cast.name) at \(look.time) s")
    // What is told as a part is no share of the whole.
    if look.finding?.isPart == true, !cast.hasRounds { return }
    let step = max(look.step, grain[cast.name] ?? 0) + unevenness
    let spoke = cast.lastEvent(
      until: look.time, ofFiles: look.finding?.source == .file)
    let most = max(cast.share(at: look.time), cast.share(at: spoke)) + step
    let least = min(cast.share(at: look.time), cast.share(at: spoke - 0.1)) - step
    #expect(
      (least...most).contains(share),
      "\(cast.name) at \(look.time) s: \(look.text) shown, \(least)…\(most) true")
  }

  /// Programs do not work at quite the same pace all the time, and write to a pipe in blocks.
  private static let unevenness = 0.06

  private static func isWhole(_ finding: Finding) -> Bool {
    finding.counts.total > 0 && finding.counts.completed >= finding.counts.total
  }

  private static func row(_ cells: [String]) -> String {
    let widths = [24, 9, 12, 12, 12, 12, 12, 0]
    return zip(cells, widths).reduce(into: "") { line, cell in
      let text = String(cell.0.prefix(max(cell.1 - 1, 6)))
      line += text + String(repeating: " ", count: max(0, cell.1 - text.count))
    } + "\n"
  }
}

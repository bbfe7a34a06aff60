import Foundation
import JobCore
import JobRecognition
import TestKit
import Testing

/// The shown progress of a large number of random, unknown programs.
///
/// `JOBRUN_MIXTURES=100000` (`make mixtures`) makes this many.
@Suite struct MixtureTests {
  private static let count =
    ProcessInfo.processInfo.environment["JOBRUN_MIXTURES"].flatMap { UInt64($0) } ?? 400

  @Test(arguments: 0..<UInt64(4))
  func `what is shown is never ahead of the truth, and never falls without a word`(
    _ part: UInt64
  ) {
    var tally = Tally()
    for seed in stride(from: part, to: Self.count, by: 4) { check(seed, &tally) }
    FileHandle.standardOutput.write(Data("mixtures \(part + 1) of 4: \(tally.text)\n".utf8))
    // Silence is no lie, and no use either.
    #expect(tally.told * 10 > tally.halves * 7, "\(tally.text)")
  }

  private struct Tally {
    var mixtures = 0
    var looks = 0
    /// Mixtures with reported progress, and those of them that are recognised half-way through.
    var halves = 0
    var told = 0
    var silentForms: [String: Int] = [:]
    var text: String {
      "\(mixtures) mixtures, \(looks) looks, \(told) of \(halves) understood half-way \(silentForms)"
    }
  }

  private func check(_ seed: UInt64, _ tally: inout Tally) {
    let mixture = Mixture(seed: seed)
    var view = ExternalProgress(OutputRecogniser(), withFiles: true)
    var rest = mixture.pieces[...]
    var last: (share: Double, note: String?)?
    var understands = false
    var complaints = 0
    var time = 0.0
    while time < mixture.end, complaints == 0 {
      let now = Instant(nanoseconds: 1_000_000_000 + UInt64(time * 1e9))
      var text = ""
      while let next = rest.first, next.time <= time { text += rest.removeFirst().text }
      if !text.isEmpty { view.receive(text.utf8, at: now) }
      tally.looks += 1
      let counts = view.finding?.counts
      let isShown = counts.map { $0.total > 0 && !$0.isComplete } ?? false
      let note = view.finding?.note
      if isShown, let counts {
        let share = Double(counts.completed) / Double(counts.total)
        let truth = mixture.truth(at: time)
        if mixture.plot == .none || share > truth + 0.05 || share >= 0.99 && truth < 0.9 {
          complaints += 1
          Issue.record(
            "seed \(seed) (\(mixture.form), \(mixture.plot)) at \(time) s: \(share) shown, \(truth) true, \(note ?? "")"
          )
        }
        if let last, share < last.share - 1e-9, note == nil, last.note == nil {
          complaints += 1
          Issue.record(
            "seed \(seed) (\(mixture.form), \(mixture.plot)) at \(time) s: \(last.share) falls to \(share)"
          )
        }
        last = (share, note)
        if mixture.stretches.contains(where: { abs(time - ($0.begin + $0.end) / 2) < 2 }) {
          understands = true
        }
      } else if view.finding == nil || counts?.isComplete == true {
        last = nil
      }
      time += 0.25
    }
    tally.mixtures += 1
    if mixture.plot != .none {
      tally.halves += 1
      if understands {
        tally.told += 1
      } else {
        tally.silentForms["\(mixture.form) \(mixture.plot)", default: 0] += 1
      }
    }
  }
}

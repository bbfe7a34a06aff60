/// One form in which programs print progress.
///
/// A small value that gets one line after the other and stores the state it needs (the length of a film, the
/// number of packages).
package protocol Recogniser: Sendable {
  /// Its name in `jobrun show`.
  var name: String { get }

  /// Whether it may tell of one repetition of something that an outer counter counts.
  var isInner: Bool { get }

  /// The part that the counts cover, as shown to people (`Receiving objects`); nil: the whole.
  var part: String? { get }

  /// The index of its bar among the bars seen so far: another index is another bar, and so a phase.
  var bar: Int { get }

  /// Whether its counts proved not to be progress.
  var isMistaken: Bool { get }

  /// Whether it has seen a number that may yet prove to be progress.
  var isPromising: Bool { get }

  /// The share of a number on the last line that stands where none stood before; nil without one.
  var beginning: Double? { get }

  /// An outer counter has begun its next repetition, so that an inner bar begins again.
  mutating func beginRound()

  /// Part of the output was dropped: the next text may have begun long ago.
  mutating func skip()

  /// The counts in a line; nil when it has none of this form.
  ///
  /// A line that is not complete is shown again when it has grown.
  mutating func read(_ line: OutputLine) -> ProgressCounts?
}

extension Recogniser {
  package var isInner: Bool { false }
  package var part: String? { nil }
  package var bar: Int { 0 }
  package var isMistaken: Bool { false }
  package var isPromising: Bool { false }
  package var beginning: Double? { nil }
  package mutating func beginRound() {}
  package mutating func skip() {}
}

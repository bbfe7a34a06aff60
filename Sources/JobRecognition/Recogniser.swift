/// One form in which programs write how far they are.
///
/// A small value that is shown one line after the other and remembers what it needs of earlier ones
/// (the length of a film, the number of packages).
package protocol Recogniser: Sendable {
  /// What `jobrun show` calls it.
  var name: String { get }

  /// Whether it may tell of one repetition of something that an outer counter counts.
  var isInner: Bool { get }

  /// What the counts are a part of, as a person is told (`Receiving objects`); nil: of the whole.
  var part: String? { get }

  /// Which of the bars that it has met it tells of: another number is another bar, and so a phase.
  var bar: Int { get }

  /// What it told was no progress, as is seen now.
  var isMistaken: Bool { get }

  /// An outer counter has begun its next repetition, so that an inner bar begins again.
  mutating func beginRound()

  /// Something of the output was left out: what comes may have begun long ago.
  mutating func skip()

  /// The counts in a line; nil when it says nothing of the kind.
  ///
  /// A line that is not complete is shown again when it has grown.
  mutating func read(_ line: OutputLine) -> ProgressCounts?
}

extension Recogniser {
  package var isInner: Bool { false }
  package var part: String? { nil }
  package var bar: Int { 0 }
  package var isMistaken: Bool { false }
  package mutating func beginRound() {}
  package mutating func skip() {}
}

/// One form in which programs write how far they are.
///
/// A small value that is shown one line after the other and remembers what it needs of earlier ones
/// (the length of a film, the number of packages).
package protocol Recogniser: Sendable {
  /// What `jobrun show` calls it.
  var name: String { get }

  /// The counts in a line; nil when it says nothing of the kind.
  ///
  /// A line that is not complete is shown again when it has grown.
  mutating func take(_ line: OutputLine) -> ProgressCounts?
}

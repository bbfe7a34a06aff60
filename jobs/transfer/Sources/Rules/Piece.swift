/// A part of the file that one connection fetches, from its start to its end.
struct Piece: Codable, Hashable {
  /// The first byte.
  var start: Int64
  /// The position after the last byte; nil when the server does not say how long the file is.
  var end: Int64?
  /// Bytes that are in the file, from the start on.
  var done: Int64 = 0

  var next: Int64 { start + done }

  var isWhole: Bool { end.map { next >= $0 } ?? false }

  /// Whether its numbers are consistent, wherever they come from.
  var isSound: Bool {
    let (next, overflows) = start.addingReportingOverflow(done)
    return start >= 0 && done >= 0 && !overflows && next <= end ?? .max
  }

  /// The missing bytes; nil if unknown.
  var missing: Int64? { end.map { $0 - next } }

  /// The rest of an untouched file in `count` pieces of about equal size, of which the first is already
  /// under way.
  static func split(_ first: Piece, into count: Int) -> [Piece] {
    guard let end = first.end, count > 1 else { return [first] }
    let each = (end - first.next) / Int64(count)
    guard each > 0 else { return [first] }
    var pieces = [Piece(start: first.start, end: first.next + each, done: first.done)]
    for index in 1..<count {
      let start = first.next + each * Int64(index)
      pieces.append(Piece(start: start, end: index == count - 1 ? end : start + each))
    }
    return pieces
  }
}

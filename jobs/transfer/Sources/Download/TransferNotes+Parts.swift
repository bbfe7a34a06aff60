extension TransferNotes {
  /// Evaluates a response that should continue at `next`; returns the sentence about a mismatch, else nil.
  ///
  /// Parts of different files are not combined, also when the server does not support `If-Range` (RFC 9110,
  /// section 15.3.7.3).
  mutating func takePart(_ head: ResponseHead, at next: Int64) -> String? {
    guard let range = head.contentRange, range.start == next,
      range.total.map({ $0 >= range.end && $0 == total ?? $0 }) ?? true,
      head.contentLength.map({ $0 == range.end - range.start }) ?? true
    else { return "the server sends another part than was asked for" }
    guard !head.isOfAnother(than: validator), head.encoding.map({ $0 == encoding }) ?? true else {
      return "the server sends a part of another file: it has changed there"
    }
    learn(total: range.total)
    return nil
  }

  /// Evaluates a 416: returns whether the requested range is missing because the file is complete.
  mutating func takeEnd(_ head: ResponseHead, at next: Int64) -> Bool {
    guard pieces.count == 1, head.lengthWithoutRange == next, total ?? next == next,
      !head.isOfAnother(than: validator)
    else { return false }
    learn(total: next)
    return true
  }

  /// A file of unknown length is fetched in one piece.
  private mutating func learn(total: Int64?) {
    guard self.total == nil, let total, pieces.count == 1 else { return }
    self.total = total
    pieces[0].end = total
  }
}

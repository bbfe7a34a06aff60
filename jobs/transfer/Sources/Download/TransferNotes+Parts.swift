extension TransferNotes {
  /// Takes an answer that is to go on at `next`; the sentence about what does not fit, else nil.
  ///
  /// Parts of different files are not put together, also when the server does not know `If-Range` (RFC 9110,
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

  /// Takes a 416: whether what was asked for is not there because all of it has come.
  mutating func takeEnd(_ head: ResponseHead, at next: Int64) -> Bool {
    guard pieces.count == 1, head.lengthWithoutRange == next, total ?? next == next,
      !head.isOfAnother(than: validator)
    else { return false }
    learn(total: next)
    return true
  }

  /// A file whose length the first answer did not tell comes in one piece.
  private mutating func learn(total: Int64?) {
    guard self.total == nil, let total, pieces.count == 1 else { return }
    self.total = total
    pieces[0].end = total
  }
}

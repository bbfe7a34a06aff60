package import LinuxSystem

/// Searches a log of any length for a text, a bounded part at a time.
///
/// Lower-case letters a to z also match upper-case ones, unless the text contains an upper-case one.
package struct LogSearch {
  package struct Result: Equatable {
    /// The offset of the match.
    package var at: UInt64?
    /// Where to continue; nil at the end of the log.
    package var next: UInt64?

    package init(at: UInt64? = nil, next: UInt64? = nil) {
      self.at = at
      self.next = next
    }
  }

  package let isBack: Bool
  private let text: [UInt8]
  private let ignoresCase: Bool

  /// The number of bytes to search per request of a page, and per read.
  package static let most: UInt64 = 32 << 20
  private static let portion: UInt64 = 1 << 20

  package init(_ text: String, isBack: Bool) {
    self.text = Array(text.utf8)
    self.isBack = isBack
    ignoresCase = !self.text.contains { (0x41...0x5A).contains($0) }
  }

  /// Forwards: the first match at `from` or later; backwards: the last one before it.
  ///
  /// `most`: the number of bytes to search at most; dropped output is a hole, which costs nothing.
  package func result(
    in file: borrowing FileDescriptor, from: UInt64, most: UInt64 = Self.most
  ) -> Result {
    let size = (try? file.size()) ?? 0
    let hole = file.firstHole(before: size) ?? size..<size
    var place = min(from, size)
    var looked: UInt64 = 0
    while isBack ? place > 0 : place < size {
      if isBack ? hole.contains(place - 1) : hole.contains(place) {
        place = isBack ? hole.lowerBound : hole.upperBound
        continue
      }
      guard looked < most else { return Result(next: place) }
      let start = isBack ? place - min(place, Self.portion) : place
      let end = isBack ? place : min(size, place + Self.portion)
      // A match that begins in this portion may end in the next one.
      let length = Int(end - start) + text.count - 1
      guard let bytes = try? file.read(at: start, maximum: length), !bytes.isEmpty else { break }
      let begins = min(bytes.count, Int(end - start))
      if let index = index(in: bytes, before: begins) { return Result(at: start + UInt64(index)) }
      looked += end - start
      place = isBack ? start : end
    }
    return Result()
  }

  /// The first, or backwards the last place before `end` at which it begins.
  private func index(in bytes: [UInt8], before end: Int) -> Int? {
    let last = min(end, bytes.count - text.count + 1)
    guard last > 0 else { return nil }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      let places =
        isBack ? stride(from: last - 1, to: -1, by: -1) : stride(from: 0, to: last, by: 1)
      for place in places where unsafe isHere(bytes, place) { return place }
      return nil
    }
  }

  private func isHere(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    for index in 0..<text.count {
      var byte = unsafe bytes[place + index]
      if ignoresCase, (0x41...0x5A).contains(byte) { byte |= 0x20 }
      if byte != text[index] { return false }
    }
    return true
  }
}

/// CRC-32C (Castagnoli), which detects a page that was read half written.
enum Checksum {
  /// One entry per half byte: a larger table would be faster than needed.
  private static let table: [UInt32] = (0..<16).map { half in
    var rest = UInt32(half)
    for _ in 0..<4 { rest = rest & 1 == 1 ? rest >> 1 ^ 0x82F6_3B78 : rest >> 1 }
    return rest
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let table = Self.table
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      sum = sum >> 4 ^ table[Int(sum & 15)]
      sum = sum >> 4 ^ table[Int(sum & 15)]
    }
    return ~sum
  }
}

extension [UInt8] {
  /// Stores the checksum of everything before it in the last four bytes.
  package mutating func seal() {
    let end = count - 4
    replace(at: end, with: Checksum.of(self[..<end]).littleEndianBytes)
  }

  /// Whether the bytes were sealed and have not changed since.
  package var isSealed: Bool {
    guard count > 4 else { return false }
    return Array(self[(count - 4)...]) == Checksum.of(self[..<(count - 4)]).littleEndianBytes
  }
}

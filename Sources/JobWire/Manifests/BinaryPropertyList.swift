/// Reads a property list in the binary format: objects that refer to each other by number, a table of where each
/// begins, and 32 bytes that say where the table is.
struct BinaryPropertyList {
  static let magic = Array("bplist00".utf8)
  private static let trailerBytes = 32

  private let bytes: [UInt8]
  private var count = 0
  private var offsetBytes = 0
  private var referenceBytes = 0
  private var objects = 0
  private var table = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The only value.
  mutating func value() throws(PropertyList.Problem) -> PropertyList {
    let trailer = bytes.count - Self.trailerBytes
    guard trailer >= Self.magic.count else { throw Self.damaged }
    offsetBytes = Int(bytes[trailer + 6])
    referenceBytes = Int(bytes[trailer + 7])
    objects = try number(at: trailer + 8, 8)
    let top = try number(at: trailer + 16, 8)
    table = try number(at: trailer + 24, 8)
    guard (1...8).contains(offsetBytes), (1...8).contains(referenceBytes) else {
      throw Self.damaged
    }
    return try value(top, depth: 0)
  }

  private mutating func value(
    _ object: Int, depth: Int
  ) throws(PropertyList.Problem) -> PropertyList {
    count += 1
    guard depth < PropertyList.maximumDepth, count < PropertyList.maximumValues else {
      throw PropertyList.Problem(sentence: "it has too many values, or too many within each other")
    }
    guard object < objects else { throw Self.damaged }
    let entry = object.multipliedReportingOverflow(by: offsetBytes)
    guard !entry.overflow, entry.partialValue <= bytes.count else { throw Self.damaged }
    var position = try number(at: table.addingClamped(entry.partialValue), offsetBytes)
    let marker = try number(at: position, 1)
    position += 1
    guard [5, 6, 0xA, 0xC, 0xD].contains(marker >> 4) else { return .other }
    let length = try length(marker & 0xF, &position)
    switch marker >> 4 {
    case 5: return .text(String(decoding: try slice(position, length), as: UTF8.self))
    case 6:
      let pairs = try slice(position, length.multipliedClamped(by: 2))
      let units = stride(from: pairs.startIndex, to: pairs.endIndex, by: 2).map {
        UInt16(pairs[$0]) << 8 | UInt16(pairs[$0 + 1])
      }
      return .text(String(decoding: units, as: UTF16.self))
    case 0xD:
      var values: [String: PropertyList] = [:]
      let keys = try references(position, length)
      let whole = try references(
        position.addingClamped(length.multipliedClamped(by: referenceBytes)), length)
      for (key, object) in zip(keys, whole) {
        guard case .text(let name) = try value(key, depth: depth + 1) else { throw Self.damaged }
        values[name] = try value(object, depth: depth + 1)
      }
      return .table(values)
    default:
      var values: [PropertyList] = []
      for object in try references(position, length) {
        values.append(try value(object, depth: depth + 1))
      }
      return .list(values)
    }
  }

  /// The length in a marker; 15 = an integer follows, which has it.
  private func length(
    _ nibble: Int, _ position: inout Int
  ) throws(PropertyList.Problem) -> Int {
    guard nibble == 0xF else { return nibble }
    let marker = try number(at: position, 1)
    guard marker >> 4 == 1, marker & 0xF <= 3 else { throw Self.damaged }
    let size = 1 << (marker & 0xF)
    defer { position += 1 + size }
    return try number(at: position + 1, size)
  }

  private func references(
    _ position: Int, _ length: Int
  ) throws(PropertyList.Problem) -> [Int] {
    _ = try slice(position, length.multipliedClamped(by: referenceBytes))
    var numbers: [Int] = []
    for index in 0..<length {
      numbers.append(try number(at: position + index * referenceBytes, referenceBytes))
    }
    return numbers
  }

  /// An unsigned number, the highest byte first.
  private func number(at position: Int, _ size: Int) throws(PropertyList.Problem) -> Int {
    let value = try slice(position, size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: value) else { throw Self.damaged }
    return number
  }

  private func slice(
    _ position: Int, _ length: Int
  ) throws(PropertyList.Problem) -> ArraySlice<UInt8> {
    guard position >= 0, length >= 0, position <= bytes.count, length <= bytes.count - position
    else { throw Self.damaged }
    return bytes[position..<position + length]
  }

  private static let damaged = PropertyList.Problem(sentence: "it is damaged")
}

extension Int {
  /// The largest number in place of an overflow; neither is negative.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let sum = addingReportingOverflow(other)
    return sum.overflow ? .max : sum.partialValue
  }

  fileprivate func multipliedClamped(by other: Int) -> Int {
    let product = multipliedReportingOverflow(by: other)
    return product.overflow ? .max : product.partialValue
  }
}

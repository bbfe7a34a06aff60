/// A property list, in XML or in the binary format: the form of an `Info.plist`.
package indirect enum PropertyList: Hashable, Sendable {
  case text(String)
  case list([PropertyList])
  case table([String: PropertyList])
  /// A number, a date, bytes, true or false.
  case other

  /// Why bytes are not a property list.
  package struct Problem: Error, Hashable, Sendable {
    /// From 1; nil in the binary format.
    package var line: Int?
    package var sentence: String
  }

  /// The limits of nesting and of values: a few bytes of a binary file can describe an endless number.
  static let maximumDepth = 32
  static let maximumValues = 10_000

  package init(_ bytes: [UInt8]) throws(Problem) {
    if bytes.starts(with: BinaryPropertyList.magic) {
      var reader = BinaryPropertyList(bytes)
      self = try reader.value()
    } else {
      var reader = XMLPropertyList(bytes)
      self = try reader.value()
    }
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The texts of a list; nil if it is not a list, or has other values.
  package var texts: [String]? {
    guard case .list(let values) = self else { return nil }
    let texts = values.compactMap { $0.text }
    return texts.count == values.count ? texts : nil
  }
}

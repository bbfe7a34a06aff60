/// One JSON value as it was read, members in the order of the text.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A whole number from 0 that fits 64 bits, exactly.
  case natural(UInt64)
  /// A whole number below 0 that fits 64 bits, exactly.
  case negative(Int64)
  /// Any other number.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The common name of a value of this kind, with its article.
  package var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .natural, .negative, .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// One member of a JSON object.
package struct JSONMember: Hashable, Sendable {
  package var name: String
  /// The line of the file on which its name stands, from 1.
  package var line: Int
  package var value: JSONValue
}

/// Where and why a text is no JSON.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// From 1.
  package var line: Int
  /// The found and the expected token; the rest of a sentence about the text.
  package var message: String

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}

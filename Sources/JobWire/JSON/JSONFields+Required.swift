import JobCore

extension JSONFields {
  func string(_ name: String) throws(WireError) -> String {
    try required(name, try optionalString(name))
  }

  func bool(_ name: String) throws(WireError) -> Bool {
    try required(name, try optionalBool(name))
  }

  func double(_ name: String) throws(WireError) -> Double {
    try required(name, try optionalDouble(name))
  }

  func number<Number: FixedWidthInteger>(
    _ name: String, as type: Number.Type = Number.self
  ) throws(WireError) -> Number {
    try required(name, try optionalNumber(name))
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, as type: Choice.Type = Choice.self
  ) throws(WireError) -> Choice where Choice.RawValue == String {
    try required(name, try optionalChoice(name))
  }

  func time(_ name: String) throws(WireError) -> WallTime {
    try required(name, try optionalTime(name))
  }

  /// The object that one line of the socket holds.
  init(line: ArraySlice<UInt8>) throws(WireError) {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.value(of: line)
    } catch {
      throw WireError(.badFrame, "the line is not JSON: it \(error.message)")
    }
    try self.init(value)
  }
}

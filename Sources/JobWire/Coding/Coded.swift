/// An object of fields: a message, or a part of one.
package protocol Coded: FieldValue {
  /// With values that reading replaces.
  init()
  /// Goes over all fields in the order in which they are written: both directions in one.
  mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure)
  /// Throws a sentence about what no field says by itself, once it has been read.
  func validate() throws(WireError)
}

extension Coded {
  package static var wanted: String { "an object" }

  package func write(to writer: inout JSONWriter) {
    var object = self
    writer.beginObject()
    object.code(with: &writer)
    writer.endObject()
  }

  package static func read(_ value: JSONValue, at place: FieldPlace) throws(WireError) -> Self? {
    guard case .object(let members) = value else { return nil }
    return try Self(JSONFields(members, path: "\(place.text)."))
  }

  package func validate() throws(WireError) {}

  init(_ fields: JSONFields) throws(WireError) {
    self.init()
    var fields = fields
    try code(with: &fields)
    try validate()
  }

  /// As JSON without newline.
  package var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    var writer = JSONWriter(taking: &bytes)
    write(to: &writer)
    writer.finish(into: &bytes)
    return bytes
  }

  /// The line of this message, newline included.
  package var line: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The same, appended to `bytes`.
  package func append(to bytes: inout [UInt8]) {
    var writer = JSONWriter(taking: &bytes)
    write(to: &writer)
    writer.newline()
    writer.finish(into: &bytes)
  }

  /// Reads one line without its newline; throws with a sentence about what is missing or mistyped.
  package init(line: ArraySlice<UInt8>) throws(WireError) {
    try self.init(try JSONFields(line: line))
  }
}

/// An object of one of several kinds, which have fields of their own.
package protocol CodedChoice: Coded {
  associatedtype Kind: FieldValue & Equatable

  /// What the field is called that says the kind; it stands first.
  static var kindField: StaticString { get }
  var kind: Kind { get }
  /// With values that reading replaces.
  init(_ kind: Kind)
  /// Goes over the fields of this kind; as it is, or as it was read.
  func coded<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) -> Self
}

extension CodedChoice {
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    let kind = try coder.coded(self.kind, Self.kindField)
    if coder.isReading { self = Self(kind) }
    let coded = try self.coded(with: &coder)
    if coder.isReading { self = coded }
  }
}

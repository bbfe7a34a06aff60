/// What the submitter asked to run: folder, arguments and environment, any bytes but NUL.
///
/// Encoded as fields that each end with NUL: `DIRECTORY`, number of arguments (and after a blank the
/// umask, in decimal), arguments, `NAME=VALUE` to the end. It travels in a memory file, so its size is free up to `limit`.
package struct LaunchSpecification: Hashable, Sendable {
  /// The most bytes that are accepted: the kernel itself takes no more than a few MiB (execve(2)).
  package static let limit = 16 << 20

  package var directory: [UInt8]
  package var arguments: [[UInt8]]
  package var environment: [[UInt8]]
  /// The bits that the worker's new files do not get (umask(2)); nil when the submitter named none.
  package var creationMask: UInt32?

  package init(directory: [UInt8], arguments: [[UInt8]], environment: [[UInt8]]) {
    self.directory = directory
    self.arguments = arguments
    self.environment = environment
  }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendField(directory)
    let mask = creationMask.map { " \($0)" } ?? ""
    bytes.appendField(Array("\(arguments.count)\(mask)".utf8))
    for field in arguments { bytes.appendField(field) }
    for field in environment { bytes.appendField(field) }
    return bytes
  }

  package init(decoding bytes: some Collection<UInt8>) throws(JobPageError) {
    var fields = try FieldReader(bytes)
    guard let directory = fields.next() else { throw .malformed("no folder") }
    let numbers = fields.next() ?? []
    let blank = numbers.firstIndex(of: 0x20) ?? numbers.endIndex
    guard let count = Int(String(decoding: numbers[..<blank], as: UTF8.self)), count > 0 else {
      throw .malformed("no arguments")
    }
    var arguments: [[UInt8]] = []
    while arguments.count < count {
      guard let field = fields.next() else { throw .malformed("arguments are missing") }
      arguments.append(field)
    }
    var environment: [[UInt8]] = []
    while let field = fields.next() { environment.append(field) }
    self.init(directory: directory, arguments: arguments, environment: environment)
    creationMask = UInt32(String(decoding: numbers[blank...].dropFirst(), as: UTF8.self))
      .map { $0 & 0o777 }
  }
}

/// Takes NUL-ended fields apart.
struct FieldReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) throws(JobPageError) {
    let all = Array(bytes)
    guard all.count <= LaunchSpecification.limit + 65536 else { throw .malformed("too large") }
    guard all.last == 0 else { throw .malformed("cut short") }
    rest = all[...]
  }

  mutating func next() -> [UInt8]? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return Array(rest[..<end])
  }

  /// What no field was taken from yet.
  var remainder: ArraySlice<UInt8> { rest }
}

extension [UInt8] {
  /// Appends a field and its NUL; a NUL inside would shift all that follows, so it ends the field.
  mutating func appendField(_ field: [UInt8]) {
    append(contentsOf: field[..<(field.firstIndex(of: 0) ?? field.endIndex)])
    append(0)
  }
}

package import LinuxSystem

/// The submitted command: folder, arguments and environment, any bytes but NUL.
///
/// Encoded as fields that each end with NUL: `DIRECTORY`, number of arguments (and, after a blank each, the
/// umask in decimal and the terms), arguments, `NAME=VALUE` to the end. It travels in a memory file, so its
/// size is free up to `limit`.
package struct LaunchSpecification: Hashable, Sendable {
  /// The maximum number of bytes: the kernel itself takes no more than a few MiB (execve(2)).
  package static let limit = 16 << 20

  package var directory: [UInt8]
  /// The umask of the worker (umask(2)); nil when the submitter sent none.
  package var creationMask: UInt32?
  /// The limits, scheduling and processors of the submitter; nil when it sent none.
  package var terms: ProcessTerms?
  private var argumentCount: Int
  /// The encoded arguments, then the environment; each ends with NUL.
  ///
  /// There may be thousands, so they are only parsed where they are needed.
  private var fields: [UInt8]
  private var environmentStart: Int

  package init(directory: [UInt8], arguments: [[UInt8]], environment: [[UInt8]]) {
    self.directory = directory
    argumentCount = arguments.count
    fields = []
    for field in arguments { fields.appendField(field) }
    environmentStart = fields.count
    for field in environment { fields.appendField(field) }
  }

  package var arguments: [[UInt8]] {
    get { FieldReader.fields(of: fields[..<environmentStart]) }
    set {
      let environment = fields[environmentStart...]
      (argumentCount, fields) = (newValue.count, [])
      for field in newValue { fields.appendField(field) }
      environmentStart = fields.count
      fields += environment
    }
  }

  /// `NAME=VALUE` each.
  package var environment: [[UInt8]] {
    get { FieldReader.fields(of: fields[environmentStart...]) }
    set {
      fields.removeSubrange(environmentStart...)
      for field in newValue { fields.appendField(field) }
    }
  }

  /// The value of an environment variable; nil when there is none of this name.
  package func value(of variable: String) -> [UInt8]? {
    let name = Array("\(variable)=".utf8)
    var reader = FieldReader(within: fields[environmentStart...])
    while let field = reader.next() {
      if field.starts(with: name) { return Array(field.dropFirst(name.count)) }
    }
    return nil
  }

  /// Sets `NAME=VALUE` entries, replacing those of the submitter.
  ///
  /// A job that is submitted from within a job must not take itself for the outer one. Entries that begin with one of `others` are removed, too.
  package mutating func replace(with entries: [String], removing others: [String] = []) {
    let names =
      entries.map { Array($0.utf8.prefix { $0 != UInt8(ascii: "=") }) + [0x3D] }
      + others.map { Array($0.utf8) }
    var reader = FieldReader(within: fields[environmentStart...])
    var kept: [UInt8] = []
    while let field = reader.next() {
      if !names.contains(where: { field.starts(with: $0) }) { kept.appendField(field) }
    }
    for entry in entries { kept.appendField(Array(entry.utf8)) }
    fields.replaceSubrange(environmentStart..., with: kept)
  }

  /// Adds those `NAME=VALUE` entries whose names are not set.
  package mutating func addMissing(_ entries: [[UInt8]]) {
    let names = environment.map { $0.prefix { $0 != UInt8(ascii: "=") } }
    for entry in entries {
      let name = entry.prefix { $0 != UInt8(ascii: "=") }
      if !names.contains(name) { fields.appendField(entry) }
    }
  }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(directory.count + fields.count + 16)
    bytes.appendField(directory)
    var numbers = creationMask.map { "\(argumentCount) \($0)" } ?? "\(argumentCount)"
    if let terms { numbers += (creationMask == nil ? "  " : " ") + terms.text }
    bytes.appendField(Array(numbers.utf8))
    return bytes + fields
  }

  package init(decoding bytes: some Collection<UInt8>) throws(JobPageError) {
    var reader = try FieldReader(bytes)
    guard let directory = reader.next() else { throw .malformed("no folder") }
    let numbers = (reader.next() ?? []).split(separator: 0x20, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard let count = numbers.first.flatMap({ Int($0) }), count > 0 else {
      throw .malformed("no arguments")
    }
    self.directory = Array(directory)
    argumentCount = count
    fields = Array(reader.remainder)
    reader = FieldReader(within: fields[...])
    for _ in 0..<count {
      guard reader.next() != nil else { throw .malformed("arguments are missing") }
    }
    environmentStart = reader.remainder.startIndex
    creationMask = numbers.dropFirst().first.flatMap { UInt32($0) }.map { $0 & 0o777 }
    terms = numbers.dropFirst(2).first.flatMap { ProcessTerms($0) }
  }
}

/// Splits NUL-ended fields.
struct FieldReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) throws(JobPageError) {
    let all = Array(bytes)
    guard all.count <= LaunchSpecification.limit + 65536 else { throw .malformed("too large") }
    guard all.last == 0 else { throw .malformed("cut short") }
    rest = all[...]
  }

  /// - Parameter bytes: ended by NUL, or empty.
  init(within bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  /// All fields.
  static func fields(of bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var reader = FieldReader(within: bytes)
    var fields: [[UInt8]] = []
    while let field = reader.next() { fields.append(Array(field)) }
    return fields
  }

  /// The part that has not been read yet.
  var remainder: ArraySlice<UInt8> { rest }
}

extension [UInt8] {
  /// Appends a field and its NUL; a field is cut at an inner NUL, which would shift all that follows.
  mutating func appendField(_ field: some Collection<UInt8>) {
    append(contentsOf: field.prefix { $0 != 0 })
    append(0)
  }
}

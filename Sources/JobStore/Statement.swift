import CSQLite
import JobCore

/// One prepared statement: values are bound and columns read in their order.
@safe final class Statement {
  private let handle: OpaquePointer
  /// Kept open as long as this lives.
  private let connection: Connection
  private var parameter: Int32 = 0
  private var column: Int32 = 0
  /// An invalid value in the current row; nil = none.
  private var fault: String?

  @unsafe init(_ handle: OpaquePointer, of connection: Connection) {
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit {
    _ = unsafe sqlite3_finalize(handle)
  }

  /// Runs to the next row; false at the end.
  func step(for operation: String) throws(StoreError) -> Bool {
    column = 0
    fault = nil
    jobrun_clear_errno()
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.failure(operation, code)
    }
  }

  /// Resets it for its next use; afterwards it holds no lock and no value.
  func reset() {
    // The code repeats the error that `step` threw.
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
    parameter = 0
  }

  // A bind fails only for an index that the SQL does not have, which tests would find.

  func bind(_ number: Int64) {
    parameter += 1
    _ = unsafe sqlite3_bind_int64(handle, parameter, number)
  }

  func bind(_ number: Int64?) {
    if let number { bind(number) } else { bindNull() }
  }

  /// SQLite's integers are signed: the bits are kept, so that every value survives.
  func bind(unsigned number: UInt64) { bind(Int64(bitPattern: number)) }

  func bind(unsigned number: UInt64?) { bind(number.map { Int64(bitPattern: $0) }) }

  func bind(_ text: String) {
    parameter += 1
    var text = text
    _ = text.withUTF8 { bytes in
      unsafe jobrun_bind_text(handle, parameter, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  func bind(_ text: String?) {
    if let text { bind(text) } else { bindNull() }
  }

  /// - Parameter utf8: the bytes of a text.
  func bind(utf8: [UInt8]) {
    parameter += 1
    _ = unsafe utf8.withUnsafeBytes { bytes in
      unsafe jobrun_bind_text(handle, parameter, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  func bind(blob: [UInt8]) {
    parameter += 1
    _ = unsafe blob.withUnsafeBytes { bytes in
      unsafe jobrun_bind_blob(handle, parameter, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  private func bindNull() {
    parameter += 1
    _ = unsafe sqlite3_bind_null(handle, parameter)
  }

  // MARK: Reading
  //
  // Invalid values are read as null and remembered: `check` reports them after the row.

  /// Throws when a column of the current row held an invalid value.
  func check(for operation: String) throws(StoreError) {
    guard let fault else { return }
    throw .corrupt(StoreError.Failure(operation: operation, code: 0, message: fault))
  }

  /// The next column; 0 when it is null.
  func number() -> Int64 {
    defer { column += 1 }
    let kind = unsafe sqlite3_column_type(handle, column)
    guard kind == SQLITE_INTEGER || kind == SQLITE_NULL else {
      remember("is not a whole number")
      return 0
    }
    return unsafe sqlite3_column_int64(handle, column)
  }

  /// The next column; the lower bound when it is outside of `range`.
  func number<Number: FixedWidthInteger>(in range: ClosedRange<Number>) -> Number {
    let number = number()
    guard let number = Number(exactly: number), range.contains(number) else {
      column -= 1
      remember("is \(number)")
      column += 1
      return range.lowerBound
    }
    return number
  }

  /// The next column: a job number.
  func jobNumber() -> JobNumber { JobNumber(number(in: 1...JobNumber.largest.value)) }

  func optionalNumber() -> Int64? { isNull() ? nil : number() }

  func optionalNumber<Number: FixedWidthInteger>(in range: ClosedRange<Number>) -> Number? {
    isNull() ? nil : number(in: range)
  }

  /// The next column; nil when it is null.
  func optionalText() -> String? { isNull() ? nil : text() }

  /// The next column's bytes; nil when it is null.
  func optionalBytes(limit: Int = Statement.textBytes) -> [UInt8]? {
    isNull() ? nil : bytes(limit: limit)
  }

  /// The next column; empty when it is null.
  func text() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// The next column, cut to the length that is shown to people, so that a job always fits into a line.
  func shownText() -> String {
    String(decoding: bytes().prefix(Self.shownBytes), as: UTF8.self)
  }

  /// The next column's bytes, of a text or a blob; empty when it is null.
  ///
  /// `limit`: the maximum that is ever written.
  func bytes(limit: Int = Statement.textBytes) -> [UInt8] {
    defer { column += 1 }
    let kind = unsafe sqlite3_column_type(handle, column)
    guard kind == SQLITE_TEXT || kind == SQLITE_BLOB else {
      if kind != SQLITE_NULL { remember("is a number") }
      return []
    }
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    guard count <= limit else {
      remember("has \(count) bytes")
      return []
    }
    guard let start = unsafe start else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The maximum length of a job's text.
  static let textBytes = 64 * 1024
  /// The maximum length of a text that is sent with a job; six of them, every character escaped, fit into a
  /// line.
  private static let shownBytes = 1_024

  /// Whether the next column is null; a null column is skipped.
  private func isNull() -> Bool {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_NULL else { return false }
    column += 1
    return true
  }

  private func remember(_ what: String) {
    let name = unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    fault = fault ?? "\(name) \(what)"
  }
}

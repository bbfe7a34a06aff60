import CSQLite

/// One prepared statement: values are bound and columns read in their order.
@safe final class Statement {
  private let handle: OpaquePointer
  /// Kept open as long as this lives.
  private let connection: Connection
  private var parameter: Int32 = 0
  private var column: Int32 = 0

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
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.failure(operation, code)
    }
  }

  /// Makes it ready for its next use; it holds no lock and no value afterwards.
  func reset() {
    // The code repeats the error that `step` threw.
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
    parameter = 0
  }

  // A bind fails only for an index that the SQL does not have, which no bound row survives in tests.

  func bind(_ number: Int64) {
    parameter += 1
    _ = unsafe sqlite3_bind_int64(handle, parameter, number)
  }

  func bind(_ number: Int64?) {
    if let number { bind(number) } else { bindNull() }
  }

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

  /// - Parameter utf8: bytes of a text.
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

  /// The next column; 0 when it is null.
  func number() -> Int64 {
    defer { column += 1 }
    return unsafe sqlite3_column_int64(handle, column)
  }

  func optionalNumber() -> Int64? {
    guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else {
      column += 1
      return nil
    }
    return number()
  }

  /// The next column; nil when it is null.
  func optionalText() -> String? {
    guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else {
      column += 1
      return nil
    }
    return text()
  }

  /// The next column; empty when it is null.
  func text() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// The next column's bytes, of a text or a blob; empty when it is null.
  func bytes() -> [UInt8] {
    defer { column += 1 }
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}

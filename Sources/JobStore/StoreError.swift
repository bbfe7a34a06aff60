/// Why an operation of the store failed.
package enum StoreError: Error, Hashable, Sendable {
  /// SQLite's answer, and the operation.
  package struct Failure: Hashable, Sendable {
    /// The operation in plain words: "storing job 12".
    package var operation: String
    /// SQLite's extended result code (sqlite.org/rescode.html).
    package var code: Int32
    package var message: String
  }

  /// The file is not an SQLite database, or holds another program's tables.
  case foreign(String)
  /// The database is damaged.
  case corrupt(Failure)
  /// A later version of jobrun wrote it.
  case newer(schema: Int, known: Int)
  /// No space left on the disk, or the database reached its size limit. Nothing was changed.
  case full(Failure)
  case readOnly(Failure)
  /// Another process holds a lock.
  case busy(Failure)
  /// The disk failed to read or write, or the file could not be opened.
  case inputOutput(Failure)
  /// A key or number that must be unique exists already.
  case constraint(Failure)
  /// A bug of this program.
  case misuse(Failure)

  /// Whether the file must be moved aside before a store can be opened here.
  package var needsFileMovedAside: Bool {
    switch self {
    case .foreign, .corrupt: true
    case .newer, .full, .readOnly, .busy, .inputOutput, .constraint, .misuse: false
    }
  }

  /// Whether the same operation may succeed later without changes to the file: space, memory, permission to
  /// write or a lock was missing.
  package var isTransient: Bool {
    switch self {
    case .full, .readOnly, .busy, .inputOutput: true
    case .foreign, .corrupt, .newer, .constraint, .misuse: false
    }
  }

  /// One sentence for a person.
  package var message: String {
    switch self {
    case .foreign(let reason): "the database is not jobrun's: \(reason)"
    case .corrupt(let failure): "the database is damaged (\(failure.text))"
    case .newer(let schema, let known):
      "the database was written by a later version of jobrun (schema \(schema), and this one knows"
        + " \(known)); use that version, or move the file aside"
    case .full(let failure): "no space is left for the database (\(failure.text)); free some"
    case .readOnly(let failure): "the database cannot be written (\(failure.text))"
    case .busy(let failure): "another program holds the database (\(failure.text))"
    case .inputOutput(let failure): "the disk or file failed (\(failure.text))"
    case .constraint(let failure): "the database refused a duplicate (\(failure.text))"
    case .misuse(let failure): "jobrun used its database wrongly (\(failure.text))"
    }
  }
}

extension StoreError.Failure {
  fileprivate var text: String { "\(operation): \(message)" }
}

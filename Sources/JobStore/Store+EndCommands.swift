package import JobCore
import JobWire

/// A command that is due because a job has ended.
package struct EndCommandRow: Hashable, Sendable {
  /// From 1, never reused.
  package let id: UInt64
  package let number: JobNumber
  /// For `sh -c`.
  package let command: String
  /// `NAME=VALUE` entries, each ended by NUL, that describe how the job ended.
  package let variables: [UInt8]

  package init(id: UInt64, number: JobNumber, command: String, variables: [UInt8]) {
    self.id = id
    self.number = number
    self.command = command
    self.variables = variables
  }
}

extension Store {
  /// Stores a command that the end of a job requires, together with that end.
  package func addEndCommand(
    of number: JobNumber, _ command: String, variables: [UInt8]
  ) throws(StoreError) -> EndCommandRow {
    try run(
      "INSERT INTO end_commands (number, command, variables) VALUES (?, ?, ?)",
      for: "storing the on-end command of job \(number)"
    ) {
      $0.bind(Int64(bitPattern: number.value))
      $0.bind(command)
      $0.bind(blob: variables)
    }
    return EndCommandRow(
      id: UInt64(bitPattern: lastInserted), number: number, command: command, variables: variables)
  }

  /// The due commands, in the order of the ends.
  package func endCommands() throws(StoreError) -> [EndCommandRow] {
    try rows(
      "SELECT id, number, command, variables FROM end_commands ORDER BY id",
      for: "reading the on-end commands"
    ) { (statement) throws(StoreError) in
      EndCommandRow(
        id: statement.number(in: 1...Store.numbers), number: statement.jobNumber(),
        command: statement.text(), variables: statement.bytes())
    }
  }

  /// A command has finished: forgets it and, with the last one of a job that has succeeded, the job's
  /// specification.
  ///
  /// `warning` is kept with the job; nil = no warning.
  package func endCommandIsOver(
    _ row: EndCommandRow, warning: String?
  ) throws(StoreError) {
    let operation = "storing the on-end command of job \(row.number)"
    try run("DELETE FROM end_commands WHERE id = ?", for: operation) {
      $0.bind(Int64(bitPattern: row.id))
    }
    if let warning {
      try changeEnded(row.number) { (ended) in
        (ended.warning, ended.isCommandWarned) = (warning, true)
      }
    }
    guard let job = try job(row.number), job.state.outcome == .succeeded, job.details.hidesCommand
    else {
      return
    }
    try dropSpecification(row.number, isSecret: true)
  }
}

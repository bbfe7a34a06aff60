import JobCore
import JobStore
import JobWire
import Testing

/// The stored on-end commands.
@Suite struct EndCommandTests {
  private let number = JobNumber(7)

  private func end(_ outcome: Outcome, in store: Store) throws -> EndCommandRow {
    var row = StoredJobs.plain(7)
    try store.insert(row, specification: [1, 2, 3])
    row.state = .ended(outcome, nil)
    row.endedMilliseconds = 1
    try store.update(row)
    return try store.addEndCommand(of: number, "say \u{1F600}\n", variables: [65, 61, 0])
  }

  @Test func `what is due comes back as it was, in the order of the ends`() throws {
    try withStore { store in
      let first = try end(.failed, in: store)
      let second = try store.addEndCommand(of: number, "again", variables: [])
      #expect(first.command == "say \u{1F600}\n")
      #expect(first.variables == [65, 61, 0])
      #expect(second.id > first.id)
      #expect(try store.endCommands() == [first, second])
    }
  }

  @Test func `a job stays for as long as something is due because of it`() throws {
    try withStore { store in
      let command = try end(.failed, in: store)
      #expect(try !store.remove(number))
      #expect(try store.prune(keeping: 0, limit: 10).isEmpty)
      try store.endCommandIsOver(command, warning: nil)
      #expect(try store.endCommands().isEmpty)
      #expect(try store.remove(number))
    }
  }

  @Test func `what a job executed is kept after its success, too`() throws {
    try withStore { store in
      let command = try end(.succeeded, in: store)
      try store.endCommandIsOver(command, warning: nil)
      #expect(try store.hasSpecification(number))
    }
  }

  @Test func `a failure is kept with the job, and what it executed for a redo`() throws {
    try withStore { store in
      let command = try end(.failed, in: store)
      try store.endCommandIsOver(command, warning: "it ended with exit code 4")
      #expect(try store.job(number)?.warning == "it ended with exit code 4")
      #expect(try store.hasSpecification(number))
    }
  }

  @Test func `no number is given twice`() throws {
    try withStore { store in
      let first = try end(.failed, in: store)
      try store.endCommandIsOver(first, warning: nil)
      #expect(try store.addEndCommand(of: number, "next", variables: []).id > first.id)
    }
  }
}

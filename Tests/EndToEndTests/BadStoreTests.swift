import Foundation
import LinuxSystem
import TestKit
import Testing

/// With any content of the store the runner serves, and stops on request.
///
/// `JOBRUN_BAD_STORES=all` (`make bad-stores`) tries every extreme in every column; otherwise each column gets
/// three of them.
@Suite struct BadStoreTests {
  private static let isThorough =
    ProcessInfo.processInfo.environment["JOBRUN_BAD_STORES"] == "all"

  @Test(arguments: try BadStore.columns())
  func `a column with values that nobody ever wrote stops no runner`(
    column: BadStore.Column
  ) throws {
    let extremes = Self.isThorough ? BadStore.extremes : Array(BadStore.extremes.prefix(3))
    for (name, literal) in extremes {
      try withSandbox { sandbox in
        let bad = try BadStore(sandbox)
        try bad.write(literal, to: column)
        let finished = try bad.serve()
        #expect(
          finished.status == 0,
          "\(column.testDescription) is \(name): \(finished.errors.prefix(3_000))")
      }
    }
  }

  @Test func `every column of every table is tried`() throws {
    let columns = try BadStore.columns()
    StandardError.write("\(columns.count) columns × \(BadStore.extremes.count) extremes\n")
    #expect(Set(columns.map(\.table)).count == 8)
    #expect(columns.count > 70)
  }

  @Test(arguments: ["PRAGMA user_version = -1", "DROP TABLE events"])
  func `a store that is not what it says it is moved aside`(damage: String) throws {
    try withSandbox { sandbox in
      let bad = try BadStore(sandbox)
      try bad.sqlite(damage)
      let finished = try bad.serve()
      #expect(finished.status == 0, "\(finished.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: bad.state)
      #expect(names.contains { $0.hasPrefix("jobrun.db.broken-") }, "\(names)")
    }
  }
}

import Foundation
import TestKit
import Testing

/// The bell of the terminal that watches.
@Suite struct BellTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  /// A terminal's output of `jobrun run` and these arguments, through the receipt.
  private func shown(_ arguments: String...) throws -> String {
    let terminal = try Pseudoterminal(columns: 100)
    let command = try workshop.sandbox.start(
      "jobrun", ["run"] + arguments + ["--", "true"], on: terminal)
    let text = try terminal.read(until: "succeeded in")
    #expect(try command.wait().status == 0)
    return text
  }

  @Test func `it is silent unless it is wanted`() throws {
    #expect(try !shown().contains("\u{7}"))
    #expect(try shown("--bell").contains("\u{7}"))
  }

  @Test func `it is wanted by the settings for jobs that were long in coming`() throws {
    let file = URL(fileURLWithPath: workshop.sandbox.home + "/config.json")
    try Data(#"{"notify": {"bell": true, "after": "1h"}}"#.utf8).write(to: file)
    #expect(try !shown().contains("\u{7}"))
    try Data(#"{"notify": {"bell": true, "after": "0s"}}"#.utf8).write(to: file)
    #expect(try shown().contains("\u{7}"))
  }
}

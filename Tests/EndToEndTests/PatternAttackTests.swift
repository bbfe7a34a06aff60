import Foundation
import JobWire
import TestKit
import Testing

/// Patterns of `--progress` that overflow a stack, fill the memory or never end elsewhere.
@Suite struct PatternAttackTests {
  enum Attack: String, CaseIterable {
    case nested, repeated, backReference

    var pattern: String {
      switch self {
      case .nested:
        String(repeating: "(", count: 15_000) + String(repeating: ")", count: 15_000)
      case .repeated: "(((.{1,200}){1,200}){1,200})"
      case .backReference: "(.*)\\1(.*)\\1x"
      }
    }
  }

  @Test(arguments: Attack.allCases)
  func `a pattern that is an attack is refused, and the runner serves on`(
    _ attack: Attack
  ) throws {
    let workshop = try Workshop()
    let before = try runner(of: workshop)
    let finished = try workshop.jobrun(
      "run", "--progress", attack.pattern, "--detach", "--", "true")
    #expect(finished.status == 64)
    let errors = finished.errors.prefix(400)
    #expect(errors.contains("cannot be used"), "\(errors)")
    #expect(finished.errors.utf8.count < 400)
    #expect(try runner(of: workshop) == before)
    #expect(try workshop.jobrun("list", "--all", "--json").output == "")
  }

  @Test func `a pattern that is dear costs only its own job its progress`() throws {
    let workshop = try Workshop()
    let before = try runner(of: workshop)
    let script = "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    try workshop.jobrun(
      "run", "--progress", "(x?){150}(x{0,100})y", "--detach", "--", "sh", "-c",
      "\(script) | head -c 4M; echo > \"$READY.1\"; read line < \"$GATE\"")
    try workshop.awaitReady(1)
    for _ in 0..<3 { #expect(try workshop.show(1).progress == nil) }
    #expect(try runner(of: workshop) == before)
    try workshop.jobrun("cancel", "1")
  }

  private func runner(of workshop: Workshop) throws -> String {
    try workshop.jobrun("list")
    let status = try workshop.jobrun("runner", "status").output
    return String(try #require(status.split(separator: "\n").first { $0.hasPrefix("process") }))
  }
}

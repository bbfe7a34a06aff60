import Foundation
import TestKit
import Testing

/// All texts for people are in one file, so that words, units and tone agree, and a changed sentence shows in a
/// review.
struct SentenceTests {
  private static let path = "Tests/TidyTests/sentences.txt"

  @Test func `the file has every sentence that can be printed`() throws {
    let current = Sentences(of: try Repository.whole.get().files).text
    if ProcessInfo.processInfo.environment["JOBRUN_RECORD_GOLDEN"] != nil {
      try current.write(
        toFile: "\(BuiltProducts.packageRoot)/\(Self.path)", atomically: true, encoding: .utf8)
    }
    let kept = Set((Repository.text(of: Self.path) ?? "").split(separator: "\n"))
    let now = Set(current.split(separator: "\n"))
    let (new, gone) = (now.subtracting(kept).sorted(), kept.subtracting(now).sorted())
    #expect(
      new.isEmpty && gone.isEmpty,
      "\(Self.path) lacks \(new.count) lines and has \(gone.count) that nothing says; JOBRUN_RECORD_GOLDEN=1 writes it anew: \(new.prefix(5)) \(gone.prefix(5))"
    )
  }

  @Test(arguments: [
    (
      #"WireError(.usage, "\"\(word)\" is no time")"#,
      ["usage                   \\\"…\\\" is no time"]
    ),
    (
      #"say("one two " + "three \(f("a b")) four")"#,
      ["-                       one two three … four"]
    ),
    (#"query("SELECT a FROM jobs") + "two words""#, []),
  ])
  func `a sentence is taken whole, with its code`(_ source: String, _ lines: [String]) {
    let scanner = SwiftScanner(source)
    #expect(Sentences.sentences(in: scanner.tokens).map(\.line) == lines)
  }
}

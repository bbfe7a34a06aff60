import Testing

@testable import jobrun

/// The help is made from the table of verbs, and complete.
struct HelpTests {
  @Test func `every verb is in the table once and has its help`() {
    #expect(Verb.all.map(\.name.rawValue).sorted() == Verb.Name.allCases.map(\.rawValue).sorted())
    for verb in Verb.all {
      let help = Help.text(of: verb)
      #expect(help.hasPrefix("Usage: jobrun \(verb.name.rawValue)"))
      for flag in verb.flags { #expect(help.contains(flag.spelling), "\(verb.name) \(flag.name)") }
      #expect(Help.overview.contains("  \(verb.name.rawValue) "))
    }
  }

  @Test func `no verb has two flags of one spelling`() {
    for verb in Verb.all {
      #expect(Set(verb.flags.map(\.name)).count == verb.flags.count)
      let letters = verb.flags.compactMap(\.short)
      #expect(Set(letters).count == letters.count)
    }
  }

  @Test func `no line of any help is wider than a terminal`() {
    for text in Verb.all.map(Help.text(of:)) + [Help.overview] {
      for line in text.split(separator: "\n") { #expect(line.count <= Help.width, "\(line)") }
    }
  }

  @Test func `what people know from elsewhere never hides a verb of ours`() {
    let own = Set(Verb.Name.allCases.map(\.rawValue))
    for verb in Verb.all { #expect(own.isDisjoint(with: verb.knownElsewhereAs)) }
  }

  @Test func `the help of wait reads as it should`() throws {
    let wait = try #require(Verb.named(.wait))
    #expect(
      Help.text(of: wait) == """
        Usage: jobrun wait ID … [flags]

        Wait until jobs have ended; exit with the first code that is not 0.

        Ctrl-C and a timeout only leave (122); the jobs go on.

        With --json: One job a line, as they end.

        Flags:
          --any                           until the first of them has ended
          --timeout DURATION              wait no longer than this; then exit 122
          --json                          JSON on stdout, one object per line

        """)
  }

  @Test func `every verb takes json and says what it prints`() {
    for verb in Verb.all {
      #expect(verb.flags.contains(.json), "\(verb.name)")
      #expect(!verb.json.isEmpty && verb.json.hasSuffix("."), "\(verb.name)")
    }
  }
}

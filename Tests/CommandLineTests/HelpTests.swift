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
      #expect(Help.verbs.contains("  \(verb.name.rawValue) "))
      let words = Help.overview.split { $0 == " " || $0 == "\n" }
      #expect(words.contains { $0 == verb.name.rawValue }, "\(verb.name)")
    }
  }

  @Test func `the overview fits a terminal of 24 lines`() {
    #expect(Help.overview.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
  }

  @Test func `no verb has two flags of one spelling`() {
    for verb in Verb.all {
      #expect(Set(verb.flags.map(\.name)).count == verb.flags.count)
      let letters = verb.flags.compactMap(\.short)
      #expect(Set(letters).count == letters.count)
    }
  }

  @Test func `no line of any help is wider than a terminal`() {
    for text in Verb.all.map(Help.text(of:)) + [Help.overview, Help.verbs] {
      for line in text.split(separator: "\n") { #expect(line.count <= Help.width, "\(line)") }
    }
  }

  @Test func `what people know from elsewhere never hides a verb of ours, and is there once`() {
    let own = Set(Verb.Name.allCases.map(\.rawValue))
    let foreign = Verb.all.flatMap(\.knownElsewhereAs) + SynonymHints.verbWords
    #expect(own.isDisjoint(with: foreign))
    #expect(Set(foreign).count == foreign.count)
  }

  @Test(arguments: [Verb.Name.run, .submit])
  func `many flags are shown in groups, the everyday ones on the first screen`(
    name: Verb.Name
  ) throws {
    let verb = try #require(Verb.named(name))
    let help = Help.text(of: verb)
    let headings = help.split(separator: "\n").filter {
      $0.hasSuffix(":") && !$0.hasPrefix(" ") && !$0.contains(",")
    }
    #expect(
      headings == [
        "Everyday:", "Examples:", "When it starts:", "Limits:", "Input and output:", "At the end:",
      ])
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    let screen = lines.prefix(24).joined(separator: "\n")
    for word in ["--title", "-f, --follow", "--detach", "--after", "Examples:", "Ctrl-C cancels"] {
      #expect(screen.contains(word), "\(word) is not on the first screen of \(name)")
    }
    #expect(Set(verb.flagGroups.flatMap(\.flags)) == Set(verb.flags))
    for heading in ["Everyday", "At the end"] { #expect(ManPage.text.contains(".I \(heading)\n")) }
  }

  @Test func `the help of wait reads as it should`() throws {
    let wait = try #require(Verb.named(.wait))
    #expect(
      Help.text(of: wait) == """
        Usage: jobrun wait [ID …] [flags]

        Wait until jobs have ended; exit with the first code that is not 0.

        After Ctrl-C or a timeout, it exits with 122, and the jobs keep running.
        --timeout 0 only asks: it exits with 122 if they have not ended.

        A single range or group is shown as one line, as with attach.

        Without ID, it waits for the latest job that runs, else for the only one that
        waits, else for the latest; with --all, for every job that is running or waiting
        now, and with --new until there are no more.

        With --json: One job per line, as they end; for several, the numbers of
        succeeded, failed and cancelled ones.

        Flags:
          --all                           every job that has not ended
          --new                           with --all or group:NAME: wait also for jobs
                                          that are submitted in the meantime
          --any                           stop waiting when the first of them has ended
          --fail-fast                     stop waiting at the first job that does not
                                          succeed; the others keep running
          --until ended|running           wait until the jobs have started (running) or
                                          ended (default)
          --timeout DURATION              stop waiting after this time; exit with 122
          --json                          print JSON, one object per line

        Examples:
          jobrun wait 12
          jobrun wait --all --new
          jobrun wait 12 --until running --timeout 5m

        """)
  }

  @Test func `every verb takes json and says what it prints`() {
    for verb in Verb.all {
      #expect(verb.flags.contains(.json), "\(verb.name)")
      #expect(!verb.json.isEmpty && verb.json.hasSuffix("."), "\(verb.name)")
    }
  }
}

/// Banned code, with its places and its alternatives.
enum BannedWords {
  struct Rule {
    /// As tokens, so that blanks and line ends do not hide it.
    var sequence: [String]
    /// Prefixes of the paths it holds for.
    var places: [String]
    /// Exempt prefixes of paths, with their reasons below.
    var exempt: [String] = []
    var instead: String
  }

  static let everywhere = ["Sources/", "Tests/", "jobs/"]

  static let rules: [Rule] =
    [
      Rule(
        sequence: ["fatalError", "("], places: everywhere,
        instead: "answer what comes from outside; precondition with state and event for own bugs"),
      Rule(sequence: ["try", "!"], places: everywhere, instead: "throw or handle the error"),
      Rule(
        sequence: ["Date", "(", ")"], places: ["Sources/"],
        instead: "take the time from a clock of LinuxSystem, or as an argument"),
      Rule(
        sequence: ["Date", ".", "now"], places: ["Sources/"],
        instead: "take the time from a clock of LinuxSystem, or as an argument"),
      Rule(
        sequence: [".", "now"], places: ["Sources/JobCore/"],
        instead: "the core is told the time with each event"),
      Rule(
        sequence: ["SystemRandomNumberGenerator"], places: ["Sources/JobCore/"],
        instead: "the core has no randomness of its own"),
      Rule(
        // The executables are exempt: standard output is their purpose.
        sequence: ["print", "("], places: ["Sources/", "Tests/"], exempt: ["Sources/jobrun"],
        instead: "data goes through the output type of the executable, talk to standard error"),
      Rule(
        // The library waits for any child and stays with the first that has ended, which may be one
        // that another test reaps later or never: then neither ends.
        sequence: ["processExitsWith", ":"], places: ["Tests/"],
        instead: "start an executable of Tests/Fixtures in a Sandbox"),
    ] + sleeping + skipping

  /// Waiting for a guessed time is slow when the guess is long and wrong when it is short.
  private static let sleeping: [Rule] = [
    ["sleep", "("], ["usleep", "("], ["nanosleep", "("], ["Task", ".", "sleep"],
    ["Thread", ".", "sleep"],
  ].map {
    Rule(
      // The templates of `jobrun new` are exempt: there a pause stands for the work.
      sequence: $0, places: ["Sources/", "Tests/"],
      exempt: ["Tests/Snippets/New/", "Tests/Corpus/", "Tests/Fixtures/AppProbe/StormApp.swift"],
      instead: "wait for a descriptor, a pidfd or a change of a file, with one deadline")
  }

  /// A test that does not run proves nothing.
  private static let skipping: [Rule] = [
    [".", "disabled", "("], [".", "enabled", "("], ["withKnownIssue"], ["XCTSkip"],
    ["Test", ".", "cancel"], ["#", "expect", "(", "true", ")"],
  ].map {
    Rule(
      // It needs permissions that the kernel gives only to some users, and reports their absence.
      sequence: $0, places: ["Tests/"],
      exempt: [
        "Tests/LinuxSystemTests/DeadMountTests.swift", "Tests/EndToEndTests/SystemdTests.swift",
        "Tests/EndToEndTests/ControlGroupTests.swift", "Tests/EndToEndTests/GroupPauseTests.swift",
        "Tests/EndToEndTests/PackageTests.swift", "Tests/EndToEndTests/Web/WebPageTests.swift",
        "Tests/CommandLineTests/PageFloodTests.swift", "Tests/EndToEndTests/Slurm",
        "Tests/EndToEndTests/GridEngineWorkshop.swift", "Tests/EndToEndTests/EngineWorkshop.swift",
        "Tests/EndToEndTests/SSHTests.swift", "Tests/EndToEndTests/FileTransferTests.swift",
        "Tests/EndToEndTests/CableTests.swift",
        "Tests/EndToEndTests/LostWritesTests.swift", "Tests/EndToEndTests/ForeignHomeTests.swift",
        "Tests/EndToEndTests/OtherUserTests.swift", "Tests/TransferTests/ForeignPartTests.swift",
        "Tests/EndToEndTests/Web/PlayTests.swift",
      ],
      instead: "make it pass or remove it")
  }

  /// Marks of unfinished work, looked for in comments.
  static let marks = ["TODO", "FIXME", "XXX", "HACK"]

  static func findings(in file: SourceFile) -> [Finding] {
    let banned = rules.flatMap { rule -> [Finding] in
      guard rule.places.contains(where: file.path.hasPrefix),
        !rule.exempt.contains(where: file.path.hasPrefix)
      else { return [] }
      return file.offsets(of: rule.sequence).filter { isUse($0, of: rule, in: file) }.map {
        file.finding(
          file.tokens[$0].line, "\(rule.sequence.joined()) is not used here: \(rule.instead)")
      }
    }
    let unfinished = file.comments.flatMap { comment in
      let words = comment.text.split { !$0.isLetter }
      return marks.filter { words.contains(Substring($0)) }.map {
        file.finding(comment.line, "\($0): finish it or open an issue")
      }
    }
    return banned + unfinished
  }

  /// A method or a declaration of the same name is no use of it.
  private static func isUse(_ offset: Int, of rule: Rule, in file: SourceFile) -> Bool {
    // `try !isDone()` is not `try!`.
    if rule.sequence.last == "!" && !file.tokens[offset + 1].isGlued { return false }
    guard offset > 0, rule.sequence[0] != "." else { return true }
    return ![".", "func"].contains(file.tokens[offset - 1].text)
  }
}

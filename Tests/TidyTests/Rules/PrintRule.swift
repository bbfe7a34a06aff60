/// Text from outside reaches a terminal only through the places that make it safe.
enum PrintRule {
  /// Where bytes may leave for a standard stream: each passes `SafeText`, `PlainText` or `LogFilter` there.
  static let printers: Set<String> = [
    "Sources/LinuxSystem/Terminals/StandardError.swift", "Sources/JobRunner/Home/RunnerLog.swift",
    "Sources/BackgroundTasks/StandardError.swift", "Sources/jobrun/Surroundings/Output.swift",
    "Sources/jobrun-engine/Complaint.swift", "Sources/jobrun-shim/Complaint.swift",
    "Sources/JobPictures/Pictures.swift",
    "Sources/UserNotifications/UNUserNotificationCenter.swift",
  ]

  /// Ways past them.
  static let sequences: [[String]] = [
    ["print", "("], ["debugPrint", "("], ["fputs", "("], ["puts", "("], ["putchar", "("],
    ["fwrite", "("], ["FileHandle", ".", "standardError"], ["FileHandle", ".", "standardOutput"],
    ["StandardError", ".", "write"],
  ]

  /// The callers that may print raw bytes: `Output`'s functions for that.
  static let rawPrinters: [String: Set<String>] = [
    "log": [
      "Sources/jobrun/Verbs/Program+Log.swift", "Sources/jobrun/Watching/WatchDisplay.swift",
      "Sources/jobrun/Verbs/FollowedLogs.swift",
      "Sources/jobrun/Verbs/Submitting/BatchOutput.swift",
    ],
    "frame": [
      "Sources/jobrun/Watching/BoardScreen.swift", "Sources/jobrun/Watching/WatchDisplay.swift",
    ],
    "ours": [
      "Sources/jobrun/Verbs/Program+Completions.swift", "Sources/jobrun/Verbs/Program+Help.swift",
    ],
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, file.path.hasPrefix("Sources/"), !printers.contains(file.path) else {
      return []
    }
    let past = sequences.flatMap { sequence in
      file.offsets(of: sequence).filter { isCall($0, in: file) }.map {
        file.finding(
          file.tokens[$0].line,
          "\(sequence.joined()) prints past the one place that makes text from outside safe")
      }
    }
    let raw = rawPrinters.flatMap { label, files -> [Finding] in
      guard file.path.hasPrefix("Sources/jobrun/"), !files.contains(file.path) else { return [] }
      return ["write", "buffer"].flatMap { file.offsets(of: [$0, "(", label, ":"]) }.map {
        file.finding(file.tokens[$0].line, "\(label): is for what is safe already; print lines")
      }
    }
    return past + raw
  }

  /// A method or a declaration of the same name is no call.
  private static func isCall(_ offset: Int, in file: SourceFile) -> Bool {
    offset == 0 || ![".", "func"].contains(file.tokens[offset - 1].text)
  }
}

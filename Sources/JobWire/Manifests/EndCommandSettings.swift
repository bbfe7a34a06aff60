package import JobCore

/// `"onEnd"` of `config.json`: the command to run when any job has ended, and its time limit.
package struct EndCommandSettings: Hashable, Sendable {
  /// For `sh -c`; nil = none.
  package var command: String?
  package var rules = NoticeRules()
  /// The time limit of each command, including those of single jobs.
  package var limit = Interval.minutes(1)

  package init() {}

  init(_ fields: ManifestFields) throws(ManifestError) {
    guard let onEnd = try fields.object("onEnd", known: ["command", "after", "limit"]) else {
      return
    }
    rules.after = try onEnd.duration("after") ?? rules.after
    limit = try onEnd.duration("limit") ?? limit
    if limit == .zero { throw onEnd.problem("limit", "is zero; 1ms is the shortest") }
    command = try onEnd.text("command")
    if let problem = command.flatMap(Self.problem) { throw onEnd.problem("command", problem) }
  }

  /// Longest command, in bytes; a longer one is better kept in a file.
  package static let commandBytes = 2 * 1024

  /// The error in a command for a shell, after its name; nil when it is valid.
  package static func problem(in command: String) -> String? {
    if command.utf8.allSatisfy({ $0 == 0x20 }) { return "is empty; write a command for sh" }
    guard command.utf8.count <= commandBytes else {
      return "has \(command.utf8.count) bytes; \(commandBytes) is the limit"
    }
    return command.utf8.contains(0) ? "holds a NUL character" : nil
  }
}

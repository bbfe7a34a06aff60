import JobCore
import JobWire

/// The source of the possible words for an operand or a flag's value.
///
/// Part of the table of verbs: the completions of all shells follow from it.
enum Source: Hashable, Sendable {
  /// Which jobs a verb can do something with.
  enum Jobs: Hashable, Sendable {
    case live, ended, all, waiting, held, running, paused, asking
  }

  /// Exactly one of these words.
  case words([String])
  case verbs
  /// Verbs, pages of the manual, names of definitions.
  case topics
  /// Names of definitions.
  case definitions
  /// Identifiers of bundles.
  case bundles
  /// Names of groups.
  case groups
  /// Names of engines.
  case engines
  /// One job.
  case job(Jobs)
  /// Jobs and groups of them.
  case jobs(Jobs)
  /// Titles of jobs.
  case titles
  case folders
  case files
  /// Any text: there are no suggestions.
  case free

  /// The common meaning of a placeholder in the help.
  init(placeholder: String) {
    switch placeholder {
    case "JOB", "DEFINITION": self = .definitions
    case "ID": self = .jobs(.live)
    case "VERB": self = .verbs
    case "ENGINE": self = .engines
    case "NAME", "NAME|none": self = .groups
    case "DIR": self = .folders
    case "FILE": self = .files
    default: self = .free
    }
  }
}

/// An operand of a verb: its name in the help, and its possible values.
struct Operand: Hashable, Sendable, ExpressibleByStringLiteral {
  let name: String
  let source: Source

  init(_ name: String, _ source: Source) {
    self.name = name
    self.source = source
  }

  init(stringLiteral name: String) {
    self.init(name, Source(placeholder: name))
  }

  static let topic = Operand("VERB|JOB|TOPIC", .topics)
  static let waitingJob = Operand("ID", .job(.waiting))
  static let oneJob = Operand("ID", .job(.live))
  static let waitingJobs = Operand("ID", .jobs(.waiting))
  static let heldJobs = Operand("ID", .jobs(.held))
  static let runningJobs = Operand("ID", .jobs(.running))
  static let pausedJobs = Operand("ID", .jobs(.paused))
  static let askingJobs = Operand("ID", .jobs(.asking))
  static let endedJob = Operand("ID", .jobs(.ended))
  static let anyJob = Operand("ID", .jobs(.all))
  static let event = Operand(
    "EVENT", .words(Request.SimulatedEvent.allCases.map { $0.rawValue }))
  static let runnerAction = Operand("ACTION", .words(RunnerAction.allCases.map { $0.rawValue }))
  static let settingsAction = Operand(
    "ACTION", .words(SettingsAction.allCases.map { $0.rawValue }))
  static let enginesAction = Operand(
    "ACTION", .words(EnginesAction.allCases.map { $0.rawValue }))
  static let bundle = Operand("BUNDLE", .bundles)
  static let setting = Operand(
    "NAME=VALUE", .words(BundleSettings.Key.allCases.map { "\($0.rawValue)=" }))
  static let group = Operand("NAME", .groups)
  static let shell = Operand("SHELL", .words(CompletionShell.allCases.map { $0.rawValue }))
}

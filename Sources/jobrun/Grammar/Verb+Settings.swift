import JobCore

extension Verb {
  static let settings = Verb(
    name: .settings,
    operands: .upTo([.settingsAction, .bundle, .setting]),
    flags: [.json], summary: "Show or set what the jobs of a bundle may do.",
    details: [
      """
      ACTION is list (the default), set or unset. BUNDLE is the identifier of a bundle, as in its \
      bundle.json; unset without a NAME removes all of its settings.
      """,
      """
      background=no: no refresh, processing task or push of the bundle is started or accepted. \
      slots=N: at most N of its jobs run at the same time. gpu=no, network=no: jobs that require \
      one are not accepted; a job that uses one without requiring it is not prevented. \
      priority=low (or normal): the highest priority of its jobs. budget=no: tasks that the runner \
      starts are neither counted nor delayed (jobrun help pending).
      """,
      """
      Jobs that are not allowed are refused as unavailable (69); those already waiting keep \
      waiting. Changes take effect at once and are written to config.json, which keeps its \
      comments. Running jobs continue.
      """,
    ],
    json: """
      One bundle per line: {"bundle","known","background","slots","gpu","network","priority","budget"}, null \
      where nothing is set.
      """,
    examples: [
      "settings", "settings set io.jobrun.samples background=no slots=1",
      "settings unset io.jobrun.samples slots",
    ],
    knownElsewhereAs: ["config", "set", "permissions", "preferences"])
}

/// The actions on settings.
enum SettingsAction: String, CaseIterable {
  case list, set, unset
}

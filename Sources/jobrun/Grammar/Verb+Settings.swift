import JobCore

extension Verb {
  static let settings = Verb(
    name: .settings,
    operands: .upTo([.settingsAction, .bundle, .setting]),
    flags: [.json], summary: "Show or set what the jobs of a bundle may do.",
    details: [
      """
      ACTION is list (the default), set or unset. BUNDLE is the identifier of a bundle, as bundle.json has \
      it; unset without a NAME undoes all of its settings.
      """,
      """
      background=no: no refresh, processing task or push of the bundle is started or accepted. slots=N: at \
      most so many of its jobs run at the same time. gpu=no, network=no: jobs that require one are not \
      accepted; one that uses it without saying so is not kept from it. priority=low (or normal): the \
      highest that its jobs get, whatever is asked for. budget=no: what the runner starts for it is neither \
      counted nor put off (jobrun help pending).
      """,
      """
      What is not allowed is refused as unavailable (69), and what waits already waits on. It takes effect \
      at once and lasts: config.json is updated, and keeps its comments. What runs goes on.
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

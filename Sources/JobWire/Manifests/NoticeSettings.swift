package import JobCore

/// `"notify"` of `config.json`: notices for people who do not watch.
package struct NoticeSettings: Hashable, Sendable {
  /// Notices on the desktop.
  package var desktop = true
  /// The terminal's bell in `submit`, `run` and `attach`.
  package var bell = false
  package var rules = NoticeRules()
  /// Where notices are sent beside the desktop.
  package var targets: [NoticeTarget] = []

  package init() {}

  init(_ fields: ManifestFields) throws(ManifestError) {
    if let texts = try fields.textOrTexts("notify") {
      targets = try Self.targets(texts, "notify", fields)
      return
    }
    guard let notify = try fields.object("notify", known: ["desktop", "bell", "after", "to"]) else {
      return
    }
    targets = try Self.targets(notify.textOrTexts("to") ?? [], "to", notify)
    desktop = try notify.flag("desktop") ?? desktop
    bell = try notify.flag("bell") ?? bell
    rules.after = try notify.duration("after") ?? rules.after
  }

  private static func targets(
    _ texts: [String], _ key: String, _ fields: ManifestFields
  ) throws(ManifestError) -> [NoticeTarget] {
    var targets: [NoticeTarget] = []
    for text in texts {
      guard let target = NoticeTarget(text) else {
        throw fields.problem(
          key,
          "holds \(text.quoted); it must be \"ntfy:TOPIC\", the address of a webhook (\"https://…\")"
            + " or \"mailto:ADDRESS\"")
      }
      targets.append(target)
    }
    return targets
  }
}

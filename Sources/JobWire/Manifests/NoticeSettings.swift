package import JobCore

/// `"notify"` of `config.json`: notices for people who do not watch.
package struct NoticeSettings: Hashable, Sendable {
  /// Notices on the desktop.
  package var desktop = true
  /// The terminal's bell in `submit`, `run` and `attach`.
  package var bell = false
  package var rules = NoticeRules()

  package init() {}

  init(_ fields: ManifestFields) throws(ManifestError) {
    guard let notify = try fields.object("notify", known: ["desktop", "bell", "after"]) else {
      return
    }
    desktop = try notify.flag("desktop") ?? desktop
    bell = try notify.flag("bell") ?? bell
    rules.after = try notify.duration("after") ?? rules.after
  }
}

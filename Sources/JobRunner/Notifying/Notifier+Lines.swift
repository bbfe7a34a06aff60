import JobCore
import JobRuntime
import JobWire

extension Notifier {
  /// Sends notices about a turn's durable announcements, according to the rules: to the desktop unless that is
  /// off, and to the targets.
  func tell(
    of lines: [Turn.Line], _ jobs: LiveJobTable, by settings: NoticeSettings,
    _ remote: RemoteNotices
  ) {
    guard settings.desktop || !settings.targets.isEmpty else { return }
    for line in lines where NoticeRules.mayTell(of: line.kind) {
      guard let object = line.object, let occasion = line.occasion(of: jobs[line.number]),
        let notice = settings.rules.notice(of: occasion)
      else { continue }
      if settings.desktop { tell(notice, of: object, lasted: occasion.lasted) }
      guard !settings.targets.isEmpty else { continue }
      switch notice {
      case .question: remote.add(NoticeText.question(object))
      case .end(let urgency):
        remote.add(NoticeText.end(object, lasted: occasion.lasted, urgency))
      case .takenBack: break
      }
    }
    if settings.desktop { send() }
  }
}

extension Turn.Line {
  /// The properties of an announcement that the rules need.
  func occasion(of job: LiveJob?) -> NoticeRules.Occasion? {
    guard let object else { return nil }
    var occasion = NoticeRules.Occasion(kind, of: object)
    occasion.onStall = job?.submission.options.onStall ?? .ask
    occasion.isWatched = object.attached > 0
    return occasion
  }
}

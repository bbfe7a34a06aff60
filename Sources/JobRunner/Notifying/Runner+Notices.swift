import JobCore
import JobRuntime
import JobWire

extension Runner {
  /// Tells people who do not look what a turn made durable, as far as the rules see fit.
  func notify(of lines: [Turn.Line]) {
    guard configuration.notices.desktop else { return }
    for line in lines where NoticeRules.mayTell(of: line.kind) {
      guard let object = line.object, let occasion = line.occasion(of: cards[line.number]),
        let notice = configuration.notices.rules.notice(of: occasion)
      else { continue }
      notifier.tell(notice, of: object, lasted: occasion.lasted)
    }
    notifier.send()
  }

  /// Answers with the status, once it is known whether notices can be shown.
  func reportStatus(to asker: RequestOrigin) {
    connections.owe(asker)
    guard configuration.notices.desktop else {
      return answerStatus(
        to: asker,
        RunnerStatus.Notifications(isOn: false, why: "config.json turns them off (notify.desktop)"))
    }
    notifier.find { [unowned self] finding in answerStatus(to: asker, finding) }
  }

  private func answerStatus(to asker: RequestOrigin, _ report: RunnerStatus.Notifications) {
    guard let client = connections.settleDebt(to: asker) else { return }
    var status = status
    status.notifications = report
    send(.ok(id: asker.id, .status(status)), to: client)
  }
}

extension Turn.Line {
  /// What the rules ask about an announcement.
  func occasion(of job: LiveJob?) -> NoticeRules.Occasion? {
    guard let object else { return nil }
    var occasion = NoticeRules.Occasion(kind, of: object)
    occasion.onStall = job?.submission.onStall ?? .ask
    occasion.isWatched = object.attached > 0
    return occasion
  }
}

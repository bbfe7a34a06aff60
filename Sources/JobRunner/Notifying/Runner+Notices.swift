import JobCore
import JobRuntime
import JobWire
import LinuxSystem

extension Runner {
  /// Tells people who do not look what a turn made durable, as far as the rules see fit.
  func notify(of lines: [Turn.Line]) {
    guard configuration.notices.desktop else { return }
    for line in lines where NoticeRules.mayTell(of: line.kind) {
      guard let object = line.object, let occasion = line.occasion(of: cards[line.number]) else {
        continue
      }
      switch configuration.notices.rules.notice(of: occasion) {
      case .question: notices.add(NoticeText.question(object), about: .question(line.number))
      case .end(let urgency):
        takeBackQuestion(of: line.number)
        let order = NoticeText.end(object, lasted: occasion.lasted, urgency)
        notices.add(order, about: .end(line.number))
      case .takenBack: takeBackQuestion(of: line.number)
      case nil: break
      }
    }
    sendNotices()
  }

  private func takeBackQuestion(of number: JobNumber) {
    notices.waiting.removeAll { $0.subject == .question(number) }
    if notices.isAsking(number) { notices.takenBack.insert(number) }
    guard let shown = notices.shown.removeValue(forKey: number) else { return }
    var order = NoticeOrder(.close)
    order.replaces = shown
    notices.add(order, about: .withdrawal)
  }

  /// Starts helpers for what waits, as many as may run; without a bus it is dropped.
  private func sendNotices() {
    guard !notices.waiting.isEmpty || notices.omitted > 0 else { return }
    guard case .found(let entries) = notices.address.answer else {
      notices.waiting = []
      notices.omitted = 0
      return
    }
    while let (subject, order) = notices.next() { send(order, about: subject, to: entries) }
  }

  private func send(_ order: NoticeOrder, about subject: NoticeBox.Subject, to bus: [[UInt8]]) {
    do throws(SystemError) {
      let child = try HelperChild(
        tools.helper, verb: "notify", environment: notices.environment(leadingTo: bus),
        input: order.line)
      notices.lastCall += 1
      do throws(SystemError) {
        try loop.add(child.number, .readable, token: Watched.notice(notices.lastCall).token)
      } catch {
        child.discard()
        throw error
      }
      notices.calls[notices.lastCall] = NoticeBox.Call(
        subject: subject, child: child, deadline: AwakeClock.instant(in: NoticeBox.patience))
    } catch {
      find(NoticeAnswer(isDone: false, why: "the helper cannot be started: \(error)"))
    }
  }

  /// A helper has ended.
  func noticeEnded(_ serial: UInt64) {
    guard let call = notices.calls.removeValue(forKey: serial) else { return }
    loop.remove(call.child.number)
    _ = call.child.reap()
    if call.deadline != nil { take(answer(of: call.child), of: call.subject) }
    sendNotices()
  }

  /// Ends helpers whose time is up.
  func giveUpNotices(at now: Instant) {
    for (serial, call) in notices.calls {
      guard let deadline = call.deadline, deadline <= now else { continue }
      if call.child.hasExited {
        noticeEnded(serial)
        continue
      }
      notices.calls[serial]?.deadline = nil
      call.child.kill()
      let patience = DurationText.format(NoticeBox.patience)
      take(
        NoticeAnswer(
          isDone: false, why: "the notification service did not answer within \(patience)"),
        of: call.subject)
    }
  }

  private func answer(of child: HelperChild) -> NoticeAnswer {
    if let answer = NoticeAnswer(output: child.readOutput()) { return answer }
    if case .signalled(let number) = child.status {
      return NoticeAnswer(isDone: false, why: "the helper ended with \(Signal.name(number))")
    }
    return NoticeAnswer(isDone: false, why: "the helper ended without an answer")
  }

  private func take(_ answer: NoticeAnswer, of subject: NoticeBox.Subject) {
    // One that somebody has dismissed already cannot be taken back, which is no fault.
    if answer.isDone || subject != .withdrawal { find(answer) }
    guard case .question(let number) = subject else { return }
    notices.shown[number] = answer.number
    if notices.takenBack.remove(number) != nil { takeBackQuestion(of: number) }
  }

  /// Keeps what is known of the service now, and tells those who asked.
  private func find(_ answer: NoticeAnswer) {
    let report = RunnerStatus.Notifications(isOn: answer.isDone, why: answer.why)
    notices.finding = NoticeBox.Finding(at: clock(), report: report)
    let askers = notices.askers
    notices.askers = []
    for asker in askers { answerStatus(to: asker, report) }
  }
}

// MARK: What `runner status` says of them

extension Runner {
  /// Answers with the status, once it is known whether notices can be shown.
  func reportStatus(to asker: Asker) {
    owe(asker)
    guard configuration.notices.desktop else {
      return answerStatus(
        to: asker,
        RunnerStatus.Notifications(isOn: false, why: "config.json turns them off (notify.desktop)"))
    }
    switch notices.address.answer {
    case .absent(let why):
      answerStatus(to: asker, RunnerStatus.Notifications(isOn: false, why: why))
    case .found(let bus):
      if let finding = notices.finding, clock() - finding.at < NoticeBox.freshness {
        return answerStatus(to: asker, finding.report)
      }
      notices.askers.append(asker)
      guard notices.askers.count == 1 else { return }
      send(NoticeOrder(.check), about: .check, to: bus)
    }
  }

  private func answerStatus(to asker: Asker, _ report: RunnerStatus.Notifications) {
    guard let client = settleDebt(to: asker) else { return }
    var status = status
    status.notifications = report
    send(.ok(id: asker.id, .status(status)), to: client)
  }
}

extension Turn.Line {
  /// What the rules ask about an announcement.
  func occasion(of job: JobCard?) -> NoticeRules.Occasion? {
    guard let object else { return nil }
    var occasion = NoticeRules.Occasion(kind, of: object)
    occasion.onStall = job?.submission.onStall ?? .ask
    occasion.isWatched = object.attached > 0
    return occasion
  }
}

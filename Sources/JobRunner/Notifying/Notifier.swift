import JobCore
import JobWire
import LinuxSystem
import MachineProbes

/// Sends notices through the session's notification service: each in a helper with a deadline, a few at a time.
final class Notifier: Part {
  /// Whether notices can be shown.
  typealias Finding = RunnerStatus.Finding

  /// An order and the child that carries it out.
  private struct Call {
    let subject: NoticeQueue.Subject
    let child: HelperChild
    /// Nil once it was killed: the kernel may hold on to it for a while.
    var deadline: Instant?
  }

  /// How long the helper may take; a desktop answers in milliseconds.
  private static let timeout = Interval.seconds(5)
  /// Findings this fresh are not looked for again.
  private static let freshness = Interval.seconds(10)
  /// Helpers that run at the same time.
  private static let callsAtOnce = 4

  private let loop: Reactor
  private let helper: String
  private let environment: [[UInt8]]
  private var bus: BusAddress
  private var box = NoticeQueue()
  private var calls: [UInt64: Call] = [:]
  private var lastCall: UInt64 = 0
  /// The last finding about the service.
  private var newest: (at: Instant, finding: Finding)?
  /// Callers that wait for a finding.
  private var waiting: [(Finding) -> Void] = []

  /// `helper`: the path of jobrun-helper; `environment`: the runner's, entries `NAME=VALUE`.
  init(loop: Reactor, helper: String, environment: [[UInt8]]) {
    self.loop = loop
    self.helper = helper
    self.environment = environment
    bus = BusAddress(environment: environment)
  }

  /// Whether no notice waits or is being sent.
  var isIdle: Bool { calls.isEmpty && box.isEmpty }

  /// The earliest deadline of the helpers.
  var nextDue: Instant? { calls.values.compactMap(\.deadline).min() }

  /// Notes a submitter's environment, if the runner's own has no bus.
  func learn(from environment: [[UInt8]]) { bus.learn(from: environment) }

  /// Has a notice about a job shown or taken back; `lasted` is how long it ran.
  func tell(_ notice: NoticeRules.Notice, of job: JobStatus, lasted: Interval) {
    switch notice {
    case .question: box.add(NoticeText.question(job), about: .question(job.number))
    case .end(let urgency):
      takeBackQuestion(of: job.number)
      box.add(NoticeText.end(job, lasted: lasted, urgency), about: .end(job.number))
    case .takenBack: takeBackQuestion(of: job.number)
    }
  }

  /// Has a program's notice shown; `body` gets why it is not, nil once it is on its way.
  func tell(_ order: NoticeOrder, then body: @escaping (String?) -> Void) {
    find { [unowned self] finding in
      guard finding.isOn else { return body(finding.why) }
      guard box.add(order) else { return body("too many notices wait; try again later") }
      send()
      body(nil)
    }
  }

  /// Starts helpers for waiting notices, up to the limit; without a bus, notices are dropped.
  func send() {
    guard !box.isEmpty else { return }
    guard case .found(let entries) = bus.answer else { return box.removeAll() }
    while calls.count < Self.callsAtOnce, let (subject, order) = box.next() {
      send(order, about: subject, to: entries)
    }
  }

  /// Finds out whether notices can be shown, then calls `body`.
  func find(then body: @escaping (Finding) -> Void) {
    switch bus.answer {
    case .absent(let why): body(Finding(isOn: false, why: why))
    case .found(let entries):
      let now = AwakeClock.instant(in: .zero)
      if let newest, now - newest.at < Self.freshness { return body(newest.finding) }
      waiting.append(body)
      if waiting.count == 1 { send(NoticeOrder(.check), about: .check, to: entries) }
    }
  }

  /// Ends helpers whose time is up.
  func act(at now: Instant) {
    for (serial, call) in calls {
      guard let deadline = call.deadline, deadline <= now else { continue }
      if call.child.hasExited {
        childEnded(serial)
        continue
      }
      calls[serial]?.deadline = nil
      call.child.kill()
      let timeout = DurationText.format(Self.timeout)
      receive(
        NoticeAnswer(
          isDone: false, why: "the notification service did not answer within \(timeout)"),
        about: call.subject)
    }
  }

  private func takeBackQuestion(of number: JobNumber) {
    let isAsking = calls.values.contains { $0.subject == .question(number) }
    box.takeBackQuestion(of: number, isAsking: isAsking)
  }

  private func send(_ order: NoticeOrder, about subject: NoticeQueue.Subject, to bus: [[UInt8]]) {
    do throws(SystemError) {
      let child = try HelperChild(
        helper, verb: "notify", environment: environment(leadingTo: bus), input: order.line)
      lastCall += 1
      let serial = lastCall
      do throws(SystemError) {
        try loop.watch(child.number) { [unowned self] _ in childEnded(serial) }
      } catch {
        child.discard()
        throw error
      }
      calls[serial] = Call(
        subject: subject, child: child, deadline: AwakeClock.instant(in: Self.timeout))
    } catch {
      found(NoticeAnswer(isDone: false, why: "the helper cannot be started: \(error)"))
    }
  }

  /// The helper's environment; other addresses of buses are removed.
  private func environment(leadingTo entries: [[UInt8]]) -> [[UInt8]] {
    let others = environment.filter { entry in
      !BusAddress.prefixes.contains { entry.starts(with: $0) }
    }
    return others + entries
  }

  private func childEnded(_ serial: UInt64) {
    guard let call = calls.removeValue(forKey: serial) else { return }
    loop.remove(call.child.number)
    _ = call.child.reap()
    if call.deadline != nil { receive(answer(of: call.child), about: call.subject) }
    send()
  }

  private func answer(of child: HelperChild) -> NoticeAnswer {
    if let answer = NoticeAnswer(output: child.readOutput()) { return answer }
    if case .signalled(let number) = child.status {
      return NoticeAnswer(isDone: false, why: "the helper ended with \(Signal.name(number))")
    }
    return NoticeAnswer(isDone: false, why: "the helper ended without an answer")
  }

  private func receive(_ answer: NoticeAnswer, about subject: NoticeQueue.Subject) {
    // A notice that the user has dismissed cannot be withdrawn, which is no failure.
    if answer.isDone || subject != .withdrawal { found(answer) }
    if case .question(let number) = subject { box.isShown(number, as: answer.number) }
  }

  /// Records the current state of the service, and informs waiting callers.
  private func found(_ answer: NoticeAnswer) {
    let finding = Finding(isOn: answer.isDone, why: answer.why)
    newest = (AwakeClock.instant(in: .zero), finding)
    let waiting = waiting
    self.waiting = []
    for body in waiting { body(finding) }
  }
}

import JobCore
import JobWire
import LinuxSystem

/// Notices on their way to the session's notification service: few at a time, each in a helper that
/// has a deadline, and the rest bounded.
///
/// Nothing of it survives the runner: a notice may be missed in a crash, and none is told twice.
struct NoticeBox {
  /// What an order is about.
  enum Subject: Hashable {
    case question(JobNumber)
    case end(JobNumber)
    /// Several ends.
    case more
    /// Takes a question back.
    case withdrawal
    /// Somebody wants to know whether there is a service.
    case check
  }

  /// An order and the child that carries it out.
  struct Call {
    let subject: Subject
    let child: HelperChild
    /// Nil once it was killed: the kernel may hold on to it for a while.
    var deadline: Instant?
  }

  /// What was found out last about the service.
  struct Finding {
    let at: Instant
    let report: RunnerStatus.Notifications
  }

  /// How long the helper may take; a desktop answers in milliseconds.
  static let patience = Span.seconds(5)
  /// Findings this fresh are not looked for again.
  static let freshness = Span.seconds(10)
  /// Helpers that run at the same time.
  static let callsAtOnce = 4
  /// Orders that wait; nobody reads more, so the rest are only counted.
  static let waitingLimit = 8

  var address: BusAddress
  let environment: [[UInt8]]
  var calls: [UInt64: Call] = [:]
  var lastCall: UInt64 = 0
  var waiting: [(subject: Subject, order: NoticeOrder)] = []
  /// Ends that nobody was told of.
  var omitted = 0
  /// Questions that are shown, by the service's numbers.
  var shown: [JobNumber: UInt32] = [:]
  /// Questions that are to be taken back once the service has numbered them.
  var takenBack: Set<JobNumber> = []
  var finding: Finding?
  /// Who waits for a finding.
  var askers: [Asker] = []

  /// `environment`: entries `NAME=VALUE`, of the runner.
  init(environment: [[UInt8]]) {
    self.environment = environment
    address = BusAddress(environment: environment)
  }

  var isEmpty: Bool { calls.isEmpty && waiting.isEmpty && omitted == 0 }

  /// When the first of the helpers is to be given up.
  var deadline: Instant? { calls.values.compactMap(\.deadline).min() }

  /// Whether a question of this job waits or is being shown.
  func isAsking(_ number: JobNumber) -> Bool {
    calls.values.contains { $0.subject == .question(number) }
  }

  /// Takes an order in; too many ends become a count.
  mutating func add(_ order: NoticeOrder, about subject: Subject) {
    guard case .end = subject, waiting.count >= Self.waitingLimit else {
      return waiting.append((subject, order))
    }
    omitted += 1
  }

  /// The next order that a helper may be started for.
  mutating func next() -> (subject: Subject, order: NoticeOrder)? {
    guard calls.count < Self.callsAtOnce else { return nil }
    if !waiting.isEmpty { return waiting.removeFirst() }
    guard omitted > 0 else { return nil }
    defer { omitted = 0 }
    return (.more, NoticeText.more(omitted))
  }

  /// The helper's environment; what else leads to a bus is left out.
  func environment(leadingTo entries: [[UInt8]]) -> [[UInt8]] {
    let others = environment.filter { entry in
      !BusAddress.prefixes.contains { entry.starts(with: $0) }
    }
    return others + entries
  }
}

import JobCore
import JobWire

/// Notices that wait for a helper, bounded, and the questions on display.
///
/// They do not survive the runner: a crash may lose a notice, and none is shown twice.
struct NoticeQueue {
  /// The subject of an order.
  enum Subject: Hashable {
    case question(JobNumber)
    case end(JobNumber)
    /// The message of a program.
    case program
    /// Several ends.
    case more
    /// Takes a question back.
    case withdrawal
    /// A client asks whether there is a notification service.
    case check
  }

  /// The limit of waiting orders; further ones are only counted.
  static let waitingLimit = 8

  private var waiting: [(subject: Subject, order: NoticeOrder)] = []
  /// Ends without a notice.
  private var omitted = 0
  /// Questions on display, by the service's numbers.
  private var shown: [JobNumber: UInt32] = [:]
  /// Questions to withdraw once the service has numbered them.
  private var takenBack: Set<JobNumber> = []

  var isEmpty: Bool { waiting.isEmpty && omitted == 0 }

  /// Takes an order in; too many ends become a count.
  mutating func add(_ order: NoticeOrder, about subject: Subject) {
    guard case .end = subject, waiting.count >= Self.waitingLimit else {
      return waiting.append((subject, order))
    }
    omitted += 1
  }

  /// Takes a program's order in; false where too many wait.
  mutating func add(_ order: NoticeOrder) -> Bool {
    guard waiting.count < Self.waitingLimit else { return false }
    waiting.append((.program, order))
    return true
  }

  /// The next order that a helper may be started for.
  mutating func next() -> (subject: Subject, order: NoticeOrder)? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    guard omitted > 0 else { return nil }
    defer { omitted = 0 }
    return (.more, NoticeText.more(omitted))
  }

  /// Drops all waiting notices: there is no service to show them.
  mutating func removeAll() {
    waiting = []
    omitted = 0
  }

  /// Withdraws a question in any state; `isAsking` when a helper is about to show it.
  mutating func takeBackQuestion(of number: JobNumber, isAsking: Bool) {
    waiting.removeAll { $0.subject == .question(number) }
    if isAsking { takenBack.insert(number) }
    guard let service = shown.removeValue(forKey: number) else { return }
    var order = NoticeOrder(.close)
    order.replaces = service
    add(order, about: .withdrawal)
  }

  /// The service has numbered a question; nil = it does not show it.
  mutating func isShown(_ number: JobNumber, as service: UInt32?) {
    shown[number] = service
    if takenBack.remove(number) != nil { takeBackQuestion(of: number, isAsking: false) }
  }
}

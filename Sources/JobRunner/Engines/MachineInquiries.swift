import JobCore
import LinuxSystem

/// What waits until several machines have told what they have, or cannot be reached.
final class MachineInquiries: Part {
  private struct Inquiry {
    var machines: Set<String>
    let deadline: Instant
    let then: () -> Void
  }

  private var inquiries: [Inquiry] = []

  /// The maximum delay of an answer by a machine that cannot be reached.
  static let timeout = Interval.seconds(3)

  var isIdle: Bool { inquiries.isEmpty }

  var nextDue: Instant? { inquiries.lazy.map(\.deadline).min() }

  func act(at now: Instant) { finish { $0.deadline <= now } }

  /// Calls `body` once all these have answered, or the first of them has taken too long.
  func wait(for machines: some Sequence<String>, then body: @escaping () -> Void) {
    inquiries.append(
      Inquiry(machines: Set(machines), deadline: .now() + Self.timeout, then: body))
  }

  func answer(of machine: String) {
    for index in inquiries.indices { inquiries[index].machines.remove(machine) }
    finish { $0.machines.isEmpty }
  }

  private func finish(where isOver: (Inquiry) -> Bool) {
    let over = inquiries.filter(isOver)
    if over.isEmpty { return }
    inquiries.removeAll(where: isOver)
    for inquiry in over { inquiry.then() }
  }
}

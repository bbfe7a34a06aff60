/// Effects of one event, collected by what they are.
///
/// They leave in a fixed order: announcements as they happened, then replies, then what is to be done
/// (stop, kill, sample, probe), then launches. So whoever carries them out makes the announcements
/// durable, answers, and acts: nobody is told, and nothing started, that a crash could take back.
struct Outbox: Sendable {
  private var announcements: [Effect] = []
  private var replies: [Effect] = []
  private var actions: [Effect] = []
  private var launches: [Effect] = []

  mutating func announce(_ number: JobNumber, _ kind: Announcement.Kind, _ state: JobState) {
    announcements.append(.announce(number, Announcement(kind, state)))
  }

  mutating func reply(_ tag: RequestTag, _ reply: Reply) {
    replies.append(.reply(tag, reply))
  }

  mutating func act(_ action: Effect) {
    actions.append(action)
  }

  mutating func launch(_ number: JobNumber, attempt: Int, gpus: [String]) {
    launches.append(.launch(number, attempt: attempt, gpus: gpus))
  }

  /// Appends everything to `effects` and keeps the room for the next event.
  mutating func empty(into effects: inout [Effect]) {
    let count = announcements.count + replies.count + actions.count + launches.count
    if effects.isEmpty { effects.reserveCapacity(count) }
    Outbox.move(&announcements, into: &effects)
    Outbox.move(&replies, into: &effects)
    Outbox.move(&actions, into: &effects)
    Outbox.move(&launches, into: &effects)
  }

  private static func move(_ part: inout [Effect], into effects: inout [Effect]) {
    guard !part.isEmpty else { return }
    for effect in part { effects.append(effect) }
    part.removeAll(keepingCapacity: true)
  }
}

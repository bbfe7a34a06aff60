/// The effects of one event, collected by kind.
///
/// They leave in a fixed order: announcements as they happened, then replies, then actions (stop, kill, sample,
/// probe), then launches. The runner thus makes announcements durable before it answers and acts: a crash
/// cannot revoke a reply or a start.
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

  /// Uses the caller's effects as storage while an event is handled: most effects are announcements, which thus
  /// are written directly to their destination.
  mutating func open(_ effects: inout [Effect]) {
    swap(&announcements, &effects)
  }

  /// Returns the storage from `open` with all effects of the event.
  mutating func close(_ effects: inout [Effect]) {
    swap(&announcements, &effects)
    Outbox.move(&replies, into: &effects)
    Outbox.move(&actions, into: &effects)
    Outbox.move(&launches, into: &effects)
  }

  /// Popping moves an effect; a loop over the array would copy it.
  private static func move(_ part: inout [Effect], into effects: inout [Effect]) {
    if part.isEmpty { return }
    part.reverse()
    while let effect = part.popLast() { effects.append(effect) }
  }
}

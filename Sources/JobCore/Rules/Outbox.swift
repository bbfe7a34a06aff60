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

  /// Takes over the caller's effects while an event is handled: announcements are most of what an
  /// event brings about, and so each goes at once to where it is read.
  mutating func open(_ effects: inout [Effect]) {
    swap(&announcements, &effects)
  }

  /// Hands back what `open` took with all effects of the event after it.
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

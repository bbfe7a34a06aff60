/// Why a job still waits in the queue.
package struct PendingReason: Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case slots, gpu, memory, network, power, notBefore, after, retry
    /// The runner is paused: nothing starts.
    case paused
    /// A person holds this job.
    case held
    /// A person's settings do not allow it.
    case settings
    /// Its bundle has had its share of the moments that the runner picks.
    case budget
    /// Too few are left of something that is counted.
    case resource
    /// The engine that has it starts it later.
    case engine
    /// The machine has not enough for what is there already.
    case pressure
    /// Somebody uses the machine, and it waits until nobody does.
    case idle
  }

  /// A sentence, or what one is made of when somebody reads it.
  ///
  /// Nearly all that wait do so for a slot, and who holds the slots changes with every end of a job:
  /// to write that out each time would be a third of all that the core does, and hardly anybody reads it.
  private enum Sentence: Sendable {
    case written(String)
    /// On the heap, where all that wait at the same time share it.
    indirect case slotsTaken(SlotHolders)
  }

  private let sentence: Sentence
  package let code: Code

  package init(_ code: Code, _ message: String) {
    self.code = code
    sentence = .written(message)
  }

  /// All slots are taken.
  init(_ holders: SlotHolders) {
    code = .slots
    sentence = .slotsTaken(holders)
  }

  /// One sentence that a person reads; names who holds what is missing.
  package var message: String {
    switch sentence {
    case .written(let text): text
    case .slotsTaken(let holders): holders.sentence
    }
  }

  /// What reads the same is the same, whether it was written out or not.
  package static func == (left: PendingReason, right: PendingReason) -> Bool {
    left.code == right.code && left.message == right.message
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}

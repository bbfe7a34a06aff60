/// Why a job still waits in the queue.
package struct PendingReason: Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case slots, gpu, memory, network, power, notBefore, after, retry
    /// The runner is paused: no job starts.
    case paused
    /// A person holds this job.
    case held
    /// A person's settings do not allow it.
    case settings
    /// Its bundle has used its share of background starts.
    case budget
    /// Too few units of a counted resource are left.
    case resource
    /// The engine that has it starts it later.
    case engine
    /// The machine is overloaded.
    case pressure
    /// Another job of the same submission has just started.
    case pace
    /// A user is at the machine, and the job waits until it is idle.
    case idle
  }

  /// A sentence, or its parts, which are formatted on demand.
  ///
  /// Nearly all waiting jobs wait for a slot, and the slot holders change with each end of a job: formatting
  /// the sentence each time would be a third of the core's work, and it is hardly ever read.
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

  /// One sentence for a person; names the jobs that hold the missing resource.
  package var message: String {
    switch sentence {
    case .written(let text): text
    case .slotsTaken(let holders): holders.sentence
    }
  }

  /// Reasons with the same text are equal, whether it was formatted yet or not.
  package static func == (left: PendingReason, right: PendingReason) -> Bool {
    left.code == right.code && left.message == right.message
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}

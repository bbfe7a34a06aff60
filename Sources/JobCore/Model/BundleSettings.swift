/// What a person lets the jobs of one bundle do; nil = not set, which allows it.
package struct BundleSettings: Hashable, Sendable {
  /// Whether the runner starts it at moments of its own choice: requests of the kinds refresh and
  /// processing.
  package var background: Bool?
  /// Most of its jobs that run at the same time.
  package var slots: Int?
  package var gpu: Bool?
  package var network: Bool?
  /// The highest priority that a job of it gets, whatever was asked for.
  package var priority: Submission.Priority?
  /// Whether what the runner starts for it at moments of its own choice is counted and put off.
  package var budget: Bool?

  package init() {}

  package var isEmpty: Bool { self == BundleSettings() }
}

/// What the settings tell jobs apart by: all of one sort may start, or none.
struct JobSort: Hashable, Sendable {
  let bundle: JobIdentifier?
  let row: LineRow
  /// The runner picks its moment.
  let isScheduled: Bool
  /// What it needs of what is counted.
  let counted: [CountedNeed]
  /// It waits until nobody uses the machine.
  let waitsForIdle: Bool
}

extension JobTerms {
  var sort: JobSort {
    JobSort(
      bundle: submission.bundle, row: row, isScheduled: submission.options.kind.isScheduled,
      counted: submission.options.demandHere.countedNeeds,
      waitsForIdle: submission.options.requirements.whenIdle)
  }
}

/// What keeps jobs of a sort from starting, whatever room there is: a person's settings, or a bad moment.
enum Bar: Hashable, Sendable {
  /// One sentence says why power is saved.
  case saving(String)
  /// What is short.
  case pressure(String)
  /// Who is there.
  case presence(String)
  case background(JobIdentifier)
  case gpu(JobIdentifier)
  case network(JobIdentifier)
  /// It has as many slots as it may.
  case slots(JobIdentifier, Int)
  /// Its bundle has had its share of the moments that the runner picks; one sentence says of what.
  case budget(String)
  /// Too few are left of something that is counted; one sentence says of what.
  case counted(String)
}

extension Bar {
  var code: PendingReason.Code {
    switch self {
    case .slots: .slots
    case .saving: .power
    case .pressure: .pressure
    case .presence: .idle
    case .budget: .budget
    case .counted: .resource
    case .background, .gpu, .network: .settings
    }
  }

  /// What is not allowed, and what would allow it.
  var sentence: String {
    switch self {
    case .saving(let why): "it waits to save power: \(why)"
    case .pressure(let why): "it waits for others: \(why)"
    case .presence(let why): "it waits until nobody uses this machine: \(why)"
    case .background(let bundle):
      "background work of \(bundle) is switched off;"
        + " jobrun settings set \(bundle) background=yes allows it"
    case .gpu(let bundle):
      "\(bundle) may not use a GPU; jobrun settings set \(bundle) gpu=yes allows it"
    case .network(let bundle):
      "\(bundle) may not use the network; jobrun settings set \(bundle) network=yes allows it"
    case .budget(let why), .counted(let why): why
    case .slots(let bundle, 1):
      "the only slot that \(bundle) may have is taken (jobrun settings)"
    case .slots(let bundle, let count):
      "the \(count) slots that \(bundle) may have are taken (jobrun settings)"
    }
  }
}

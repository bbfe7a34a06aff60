/// The user's settings for the jobs of one bundle; nil = not set, which allows everything.
package struct BundleSettings: Hashable, Sendable {
  /// Whether the runner may start the bundle's refresh and processing requests.
  package var background: Bool?
  /// Most of its jobs that run at the same time.
  package var slots: Int?
  package var gpu: Bool?
  package var network: Bool?
  /// The highest priority that a job of the bundle can get.
  package var priority: Submission.Priority?
  /// Whether the runner limits how often it starts the bundle's refresh and processing requests.
  package var budget: Bool?

  package init() {}

  package var isEmpty: Bool { self == BundleSettings() }
}

/// The properties by which settings tell jobs apart: either all jobs of one sort may start, or none.
struct JobSort: Hashable, Sendable {
  let bundle: JobIdentifier?
  let row: LineRow
  /// Whether it is for this machine alone.
  let isHere: Bool
  /// The runner picks its moment.
  let isScheduled: Bool
  /// The counted resources that the job needs.
  let counted: [CountedNeed]
  /// Whether the job waits until the machine is idle.
  let waitsForIdle: Bool
  /// The key of the submission whose jobs start one after another; nil = at any time.
  let pace: String?
  /// The machine of its pool on which it has begun before, and stays.
  var machine: String?
}

extension JobTerms {
  var sort: JobSort {
    JobSort(
      bundle: submission.bundle, row: row, isHere: submission.options.engine == nil,
      isScheduled: submission.options.kind.isScheduled,
      counted: submission.options.requirements.countedNeeds,
      waitsForIdle: submission.options.requirements.whenIdle,
      pace: submission.options.startsApart == nil ? nil : submission.stem)
  }
}

/// Why jobs of a sort cannot start even with free slots: the user's settings, or a bad moment.
enum Bar: Hashable, Sendable {
  /// The sentence gives the reason for saving power.
  case saving(String)
  /// The sentence names the scarce resource.
  case pressure(String)
  /// The sentence names the user at the machine.
  case presence(String)
  case background(JobIdentifier)
  case gpu(JobIdentifier)
  case network(JobIdentifier)
  /// It has as many slots as it may.
  case slots(JobIdentifier, Int)
  /// The bundle has used its share of background starts; the sentence names the limit.
  case budget(String)
  /// Too few units of a counted resource are left; the sentence names it.
  case counted(String)
  /// Another job of the same submission started less than this time ago.
  case pace(Interval)
  /// The machine on which it has begun before cannot take it now.
  case machine(PendingReason)
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
    case .pace: .pace
    case .machine(let reason): reason.code
    case .background, .gpu, .network: .settings
    }
  }

  /// The refusal, and the setting that would allow it.
  var sentence: String {
    switch self {
    case .saving(let why): "it waits to save power: \(why)"
    case .pressure(let why): "it waits for others: \(why)"
    case .presence(let why): "it waits until this machine is idle: \(why)"
    case .background(let bundle):
      "background work of \(bundle) is switched off;"
        + " jobrun settings set \(bundle) background=yes allows it"
    case .gpu(let bundle):
      "\(bundle) may not use a GPU; jobrun settings set \(bundle) gpu=yes allows it"
    case .network(let bundle):
      "\(bundle) may not use the network; jobrun settings set \(bundle) network=yes allows it"
    case .budget(let why), .counted(let why): why
    case .machine(let reason): reason.message
    case .pace(let gap): "the jobs that were submitted with it start \(gap.words) apart"
    case .slots(let bundle, 1):
      "the only slot that \(bundle) may have is taken (jobrun settings)"
    case .slots(let bundle, let count):
      "the \(count) slots that \(bundle) may have are taken (jobrun settings)"
    }
  }
}

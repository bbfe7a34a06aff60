/// A kind of job in the load: its behaviour, and its only valid end.
enum Kind: String, CaseIterable {
  /// Ends at once with 0.
  case short
  /// Ends after a moment with a known code.
  case code
  /// Takes its time and ends with 0.
  case long
  /// Leaves children behind, in sessions of their own and deaf to SIGTERM, and ends with 3.
  case forking
  /// Never gives a sign of life.
  case silent
  /// Reports without ever advancing.
  case stalled
  /// Runs until it is cancelled.
  case cancelled
  /// Reports through `jobrun progress`.
  case progress
  /// Writes its progress into the page itself.
  case paged
  /// Declares a failure in its page and exits with 0.
  case declared
  /// Needs a GPU, which must not be shared meanwhile.
  case gpu
  /// Needs a unit of a counted resource, which must not be shared meanwhile.
  case licensed
  /// Fails the first time; its definition allows one retry.
  case retried
  /// Defers itself the first time.
  case deferred
  /// Kills itself.
  case crashed
  /// A plain command, without any definition.
  case plain
  /// Calls `jobrun` itself, which may have to start a runner: that one is not part of the job.
  case calling
  /// Stops its supervisor and runs until it is cancelled.
  case freezing
  /// Continues with another attempt after an interruption: for power cuts only.
  case resumable

  /// Its relative frequency.
  var weight: Int {
    switch self {
    case .short: 10
    case .code, .long, .plain: 6
    case .forking, .progress, .paged, .gpu, .licensed, .cancelled, .calling: 3
    case .declared, .crashed: 2
    case .silent, .stalled, .retried, .deferred, .freezing: 1
    case .resumable: 0
    }
  }

  /// It holds its slot until an event outside of it, so that only a few may live at a time.
  var isPatient: Bool { [.silent, .stalled].contains(self) || isCancelled }

  /// It ends only when it is cancelled.
  var isCancelled: Bool { self == .cancelled || self == .freezing }

  /// It acts on runners or supervisors itself.
  var disturbs: Bool { self == .calling || self == .freezing }

  /// The next runner reads what it holds in its launch order.
  var needsOrder: Bool { self == .licensed }

  /// Its worker writes into its own folder.
  var writesOwnFiles: Bool { self == .retried || self == .deferred || disturbs }

  /// The number of starts of its worker without a killed supervisor.
  var starts: ClosedRange<Int> {
    switch self {
    case .retried, .deferred: 2...2
    case .cancelled, .freezing: 0...1
    default: 1...1
    }
  }

  /// Its worker comes to the end of its script.
  var endsByItself: Bool { !isPatient && self != .crashed }

  /// Further keys of its manifest, as JSON members.
  var manifest: String {
    switch self {
    case .silent: #", "silentAfter": "300ms""#
    case .stalled: #", "stallAfter": "300ms""#
    case .gpu: #", "requires": ["gpu"]"#
    case .retried: #", "retries": 1"#
    case .resumable: #", "resumable": true"#
    default: ""
    }
  }

  /// Flags of its submission.
  var flags: [String] {
    switch self {
    case .stalled: ["--on-stall", "stop"]
    case .licensed: ["--require", "licence=1"]
    default: []
    }
  }
}

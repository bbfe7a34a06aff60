import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// One connection: its input, its pending output, and its subscription.
final class Client {
  /// The jobs or the feed that the client subscribed to.
  enum Subscription {
    case none
    /// The feed of all jobs; progress at most every `interval`, never when it is nil.
    case feed(progressEvery: Interval?)
    /// The feed of some jobs; `attached` counts it among their terminals.
    case jobs(Set<JobNumber>, attached: Bool)
    /// The events and the progress of many jobs, which it counts; no snapshots.
    case many(JobSelection)
  }

  /// A list that is written as fast as the client reads it.
  struct Listing {
    let id: UInt64
    /// These jobs, last first, live or ended; nil when others are listed.
    var named: [JobNumber]?
    /// The last of the live jobs to be written; nil when the store is read instead.
    var lastLive: JobNumber?
    var after = JobNumber(0)
    /// The only group that is listed; nil = no matter.
    var group: GroupName?
    /// Set when only ended jobs are listed, the newest end first.
    var history: HistoryQuery?
    var before: EndedMark?
    /// Those of the ended jobs that were read, if these are wanted.
    var totals: [Outcome: OutcomeTotal] = [:]
    /// Lists only the columns of a table.
    var isBrief = false
    /// Waiting jobs of one submission are listed as one; only of live jobs.
    var folds = false
    /// Those of a fold included.
    var count = 0
  }

  /// Jobs whose snapshot has not been written yet.
  struct Snapshots {
    /// The jobs that the client follows, last first.
    var followed: [JobNumber] = []
    /// Of the live jobs, the last one written and the last one to write.
    var live: (after: JobNumber, last: JobNumber)?

    var isEmpty: Bool { followed.isEmpty && live == nil }
  }

  /// The content of a descriptor.
  struct Attachment {
    /// Bytes received before it; it belongs to the line with the last of them, because a reception ends with
    /// the bytes that a descriptor was sent with (unix(7)).
    let position: UInt64
    /// Nil when the runner had no free descriptor for it.
    let content: [UInt8]?
    /// The job's input, sent beside it.
    let input: PassedInput?
  }

  /// A line with its attachment.
  struct Arrival {
    let element: LineSplitter.Element
    let attachment: [UInt8]?
    let input: PassedInput?
    /// Something was enclosed for which the runner had no descriptor left.
    let isIncomplete: Bool
  }

  let number: UInt64
  let connection: UnixConnection
  var lines = LineSplitter()
  /// Descriptors that came beside lines not taken yet, the oldest first.
  var attachments: [Attachment] = []
  /// The number of bytes received so far.
  var received: UInt64 = 0
  var output = OutputBuffer()
  var subscription = Subscription.none
  /// Whether it does work that a suspend must not interrupt: the machine is kept awake for it.
  var keepsAwake = false
  /// Whether it gets only the progress of jobs it already has.
  var isBrief = false
  /// Requested lists, the one being written first.
  var listings: [Listing] = []
  /// Where it is in the feed.
  var cursor = FeedCursor()
  var snapshots = Snapshots()
  /// Requests that are under way; their answers come later.
  var unanswered = 0
  /// When progress lines are due next.
  var progressDue: Instant?
  /// When it was last sent progress, or subscribed.
  var lastProgress = Instant(nanoseconds: 0)
  /// Progress up to this look is known to the client.
  var knownLook: UInt64 = 0
  /// Whether it will send no more: the runner answers and closes.
  var isHalfClosed = false
  /// The loop waits until the connection is writable.
  var awaitsRoom = false
  /// Whether its requests are throttled: reading resumes when they are answered and the answers are taken.
  var isHeld = false

  /// Jobs that it was promised by their numbers are still to be written.
  var isOwedNamed: Bool { listings.contains { $0.named != nil } }

  /// Whether it follows this job, or its batch: it may still have to read the job's output.
  ///
  /// A follower of a group only counts its jobs.
  func follows(_ number: JobNumber) -> Bool {
    switch subscription {
    case .none, .feed: false
    case .jobs(let numbers, _): numbers.contains(number)
    case .many(let some): some.contains(number, of: nil)
    }
  }

  init(number: UInt64, connection: consuming UnixConnection) {
    self.number = number
    self.connection = connection
  }

  /// Whether anything is still to be sent in answer to its requests.
  var isOwed: Bool {
    !output.isEmpty || !listings.isEmpty || !snapshots.isEmpty || unanswered > 0
  }

  /// The interest in the connection's events.
  var interest: Interest {
    var interest: Interest = isHalfClosed || isHeld ? [] : .readable
    if awaitsRoom { interest.insert(.writable) }
    return interest
  }

  /// The next line; drops the attachments of earlier lines.
  func next() -> Arrival? {
    guard let element = lines.next() else { return nil }
    let end = received - UInt64(lines.unfinishedBytes)
    let attachment = attachments.last { $0.position <= end }
    attachments.removeAll { $0.position <= end }
    return Arrival(
      element: element, attachment: attachment?.content, input: attachment?.input,
      isIncomplete: attachment.map { $0.content == nil } ?? false)
  }
}

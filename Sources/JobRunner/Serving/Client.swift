import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// One connection: what it has sent, what it is owed, and what it listens to.
final class Client {
  /// What the client listens to.
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
    /// Each job with what a table shows.
    var isBrief = false
    var count = 0
  }

  /// Jobs of which a snapshot is still to be written.
  struct Snapshots {
    /// Those that the client follows, last first.
    var followed: [JobNumber] = []
    /// Of the live ones, the last that was written and the last to be written.
    var live: (after: JobNumber, last: JobNumber)?

    var isEmpty: Bool { followed.isEmpty && live == nil }
  }

  /// The content of a descriptor.
  struct Attachment {
    /// Bytes received when it had come; it belongs to the line that holds the last of them, since a
    /// reception ends with the bytes that a descriptor was sent with (unix(7)).
    let position: UInt64
    /// Nil when the runner had no descriptor left for it.
    let content: [UInt8]?
    /// What came with it.
    let input: PassedInput?
  }

  /// A line with what was enclosed.
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
  /// What came as descriptors beside lines not taken yet, the oldest first.
  var attachments: [Attachment] = []
  /// All bytes that ever came.
  var received: UInt64 = 0
  var output = OutputBuffer()
  var subscription = Subscription.none
  /// It has begun what must not be cut off: the machine stays awake for it.
  var keepsAwake = false
  /// It knows the jobs, and of progress is told no more than that.
  var isBrief = false
  /// Lists that were asked for, the one that is being written first.
  var listings: [Listing] = []
  /// Where it is in the feed.
  var cursor = FeedCursor()
  var snapshots = Snapshots()
  /// Requests that are under way; their answers come later.
  var unanswered = 0
  /// When progress lines are due next.
  var progressDue: Instant?
  /// Progress up to this look is known to the client.
  var knownLook: UInt64 = 0
  /// It will send no more; answer what is owed and close.
  var isHalfClosed = false
  /// The loop watches for room to write.
  var awaitsRoom = false
  /// It has asked so much that nothing more is read from it until it was answered and took the answers.
  var isHeld = false

  /// Jobs that it was promised by their numbers are still to be written.
  var isOwedNamed: Bool { listings.contains { $0.named != nil } }

  init(number: UInt64, connection: consuming UnixConnection) {
    self.number = number
    self.connection = connection
  }

  /// Whether anything is still to be sent in answer to its requests.
  var isOwed: Bool {
    !output.isEmpty || !listings.isEmpty || !snapshots.isEmpty || unanswered > 0
  }

  /// What the loop is to watch the connection for.
  var interest: Interest {
    var interest: Interest = isHalfClosed || isHeld ? [] : .readable
    if awaitsRoom { interest.insert(.writable) }
    return interest
  }

  /// The next line; what came with an earlier one, whatever became of that, is not its.
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

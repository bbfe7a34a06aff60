package import JobPage
package import LinuxSystem

/// The link of a supervisor to a runner on another machine: copies the job's reports into the mirror, and
/// reads the runner's orders from the control page.
///
/// Reading the job's page costs no file operation, as it is in local memory; an inactive job costs one
/// write and one read on the shared file system per interval.
package struct Relay: ~Copyable {
  /// Opened once, so that it stays readable after the job removes it.
  private let page: FileDescriptor
  private let log: String
  private let file: FileDescriptor
  private var control: SharedPage
  /// Nil when it cannot be opened: then readers find changes by polling the mirror.
  private let changes: ChangeFile?
  /// The engine's name for the partition of the attempt, if it has one.
  let partition: String?
  private(set) var orders = ControlPage()

  private var mirror: Mirror
  /// Makes announcements of this attempt different from those of earlier ones with the same slot.
  private let mark: UInt64
  /// On `AwakeClock`, as all times here.
  private var reportedAt: UInt64
  private var advancedAt: UInt64
  private var lookedAt: UInt64 = 0
  private var writtenAt: UInt64 = 0
  /// When changed words were last written.
  private var changedAt: UInt64 = 0
  private var hasChanged = true
  private var controlAt: UInt64
  private var fastUntil: UInt64 = 0

  private static let second: UInt64 = 1_000_000_000
  private static let pace: UInt64 = 10 * second
  private static let fastSeconds: UInt32 = 60

  package init(
    _ folder: JobFolder, page: String, log: String, node: String, restart: UInt32,
    partition: String? = nil
  ) throws(SystemError) {
    let page = try File.open(page, [.read, .noFollow])
    let image = try page.read(at: 0, maximum: Mirror.imageSize)
    self.init(
      page, try File.open(folder.mirror, [.write, .noFollow]),
      try SharedPage(path: folder.control), try? ChangeFile(in: folder.store),
      Mirror(page: image), log: log, partition: partition,
      mark: folder.attempt.map { $0.number << 40 | $0.attempt << 24 } ?? 0)
    mirror.node = node
    mirror.restart = restart
    readControl()
  }

  private init(
    _ page: consuming FileDescriptor, _ file: consuming FileDescriptor,
    _ control: consuming SharedPage, _ changes: consuming ChangeFile?, _ mirror: Mirror,
    log: String, partition: String?, mark: UInt64
  ) {
    self.mark = mark
    self.page = page
    self.file = file
    self.control = control
    self.changes = changes
    self.partition = partition
    self.mirror = mirror
    self.log = log
    reportedAt = AwakeClock.now()
    advancedAt = reportedAt
    controlAt = reportedAt
  }

  /// When `act` is due, on `AwakeClock`.
  var due: UInt64 {
    min(lookedAt + min(pace, Self.second), writtenAt + defaultPace, controlAt + defaultPace)
  }

  /// The interval between two writes of changes.
  private var pace: UInt64 {
    AwakeClock.now() < fastUntil ? min(defaultPace, Self.second) : defaultPace
  }

  /// The interval without changes, also while a client watches: unchanged words need no write, and a ring
  /// announces a new control page.
  private var defaultPace: UInt64 {
    let asked = UInt64(orders.paceMilliseconds) * 1_000_000
    return asked > 0 ? asked : Self.pace
  }

  /// Performs the due actions.
  mutating func act() {
    let now = AwakeClock.now()
    if now >= lookedAt + min(pace, Self.second) { look(at: now) }
    if now >= controlAt + defaultPace { readControl() }
    if now >= writtenAt + defaultPace || hasChanged && now >= changedAt + pace { write(at: now) }
  }

  /// Handles a ring: the control page is new, and a client wants frequent updates for a while.
  mutating func ring() {
    readControl()
    hasten(for: orders.fastSeconds > 0 ? orders.fastSeconds : Self.fastSeconds)
  }

  /// Mirrors the new last line of the record.
  mutating func tell(_ line: RunRecord.Line) {
    mirror.line = String(decoding: line.text.utf8.dropLast(), as: UTF8.self)
    mirror.state = .running
    if case .ended = line { mirror.state = .ended }
    let now = AwakeClock.now()
    look(at: now)
    write(at: now)
  }

  /// A page that is half written or cannot be read now changes nothing.
  private mutating func readControl() {
    controlAt = AwakeClock.now()
    guard let bytes = try? control.read(), let read = ControlPage(decoding: bytes),
      read.serial >= orders.serial
    else { return }
    // A client may have started to watch before a ring could reach this process.
    if read.serial > orders.serial, read.fastSeconds > 0 { hasten(for: read.fastSeconds) }
    orders = read
  }

  private mutating func hasten(for seconds: UInt32) {
    fastUntil = AwakeClock.now() + UInt64(seconds) * Self.second
  }

  private mutating func look(at now: UInt64) {
    lookedAt = now
    // The log is on this machine: its size costs no remote access.
    let logBytes = ((try? File.status(log)) ?? nil)?.size ?? mirror.logBytes
    if logBytes != mirror.logBytes { hasChanged = true }
    mirror.logBytes = logBytes
    guard let image = readPage(), image != mirror.image else { return }
    let (old, new) = (mirror.snapshot, PageReader.snapshot(image: image))
    if new.hasNews(since: old) { reportedAt = now }
    if new.isAdvance(from: old) { advancedAt = now }
    mirror.image = image
    hasChanged = true
  }

  /// The page, with complete texts if a few tries yield them.
  private borrowing func readPage() -> [UInt8]? {
    var image: [UInt8] = []
    for _ in 0..<4 {
      guard let bytes = try? page.read(at: 0, maximum: Mirror.imageSize) else { return nil }
      image = Mirror.image(of: bytes)
      if image[PageLayout.textSequence] % 2 == 0 { break }
    }
    return image
  }

  /// A failed write (a full disk, an unreachable server) is repeated at the next interval; meanwhile
  /// readers see no updates, and the job goes on.
  private mutating func write(at now: UInt64) {
    mirror.nodeClock = now
    mirror.wallMilliseconds = UInt64(clamping: WallClock.now())
    mirror.reportedAgo = now - reportedAt
    mirror.advancedAgo = now - advancedAt
    if hasChanged { changedAt = now }
    hasChanged = false
    writtenAt = now
    mirror.sequence += 1
    guard (try? SharedPage.write(mirror.encoded(), to: file)) != nil else { return }
    // A lost announcement is made up for by the next poll of the mirror itself.
    try? changes?.note(mirror.sequence ^ mark, slot: orders.slot)
  }
}

extension PageSnapshot {
  /// Whether the worker has reported anything since `old`.
  fileprivate func hasNews(since old: PageSnapshot) -> Bool {
    completed != old.completed || total != old.total || reports != old.reports || unit != old.unit
      || textSequence != old.textSequence || quietUntil != old.quietUntil
  }

  /// Whether the fraction grew; `PageSample.isAdvance` of the rules judges by the same.
  fileprivate func isAdvance(from old: PageSnapshot) -> Bool {
    guard total > 0 else { return false }
    guard old.total > 0 else { return true }
    let new = min(completed, total).multipliedFullWidth(by: old.total)
    let before = min(old.completed, old.total).multipliedFullWidth(by: total)
    return (new.high, new.low) > (before.high, before.low)
  }
}

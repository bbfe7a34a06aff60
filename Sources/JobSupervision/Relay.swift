package import JobPage
package import LinuxSystem

/// What a supervisor does besides, where its runner is on another machine: it copies what its job says into
/// the mirror, and finds in the control page what the job is to do.
///
/// A look at the job's page costs no file operation, as that lies in memory here; a still job costs one
/// writing and one reading on the shared file system in a pace.
package struct Relay: ~Copyable {
  /// Opened once: a page that the job removes is still this one.
  private let page: FileDescriptor
  private let log: String
  private let file: FileDescriptor
  private var control: SharedPage
  /// Nil where it cannot be opened: whoever wants to know what is new looks by itself.
  private let changes: ChangeFile?
  /// What the engine calls where the attempt runs, where it has a name for that.
  let partition: String?
  private(set) var orders = ControlPage()

  private var mirror: Mirror
  /// On `AwakeClock`, as all instants here.
  private var reportedAt: UInt64
  private var advancedAt: UInt64
  private var lookedAt: UInt64 = 0
  private var writtenAt: UInt64 = 0
  /// When words were written that had changed.
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
      Mirror(page: image), log: log, partition: partition)
    mirror.node = node
    mirror.restart = restart
    readControl()
  }

  private init(
    _ page: consuming FileDescriptor, _ file: consuming FileDescriptor,
    _ control: consuming SharedPage, _ changes: consuming ChangeFile?, _ mirror: Mirror,
    log: String, partition: String?
  ) {
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

  /// When there is something to be done, on `AwakeClock`.
  var due: UInt64 {
    min(lookedAt + min(pace, Self.second), writtenAt + defaultPace, controlAt + defaultPace)
  }

  /// Between two writings of what has changed.
  private var pace: UInt64 {
    AwakeClock.now() < fastUntil ? min(defaultPace, Self.second) : defaultPace
  }

  /// Also while somebody watches: what is still needs no writing, and a ring tells that the control page is new.
  private var defaultPace: UInt64 {
    let asked = UInt64(orders.paceMilliseconds) * 1_000_000
    return asked > 0 ? asked : Self.pace
  }

  /// Looks at what is due.
  mutating func act() {
    let now = AwakeClock.now()
    if now >= lookedAt + min(pace, Self.second) { look(at: now) }
    if now >= controlAt + defaultPace { readControl() }
    if now >= writtenAt + defaultPace || hasChanged && now >= changedAt + pace { write(at: now) }
  }

  /// The control page is new: what it says holds now, and somebody wants to see more for a while.
  mutating func ring() {
    readControl()
    hasten(for: orders.fastSeconds > 0 ? orders.fastSeconds : Self.fastSeconds)
  }

  /// The record has a new last line.
  mutating func tell(_ line: RunRecord.Line) {
    mirror.line = String(decoding: line.text.utf8.dropLast(), as: UTF8.self)
    mirror.state = .running
    if case .ended = line { mirror.state = .ended }
    let now = AwakeClock.now()
    look(at: now)
    write(at: now)
  }

  /// A page that cannot be read now, or is half written, says nothing new.
  private mutating func readControl() {
    controlAt = AwakeClock.now()
    guard let bytes = try? control.read(), let read = ControlPage(decoding: bytes),
      read.serial >= orders.serial
    else { return }
    // Whoever began to watch before anybody could be told is seen here.
    if read.serial > orders.serial, read.fastSeconds > 0 { hasten(for: read.fastSeconds) }
    orders = read
  }

  private mutating func hasten(for seconds: UInt32) {
    fastUntil = AwakeClock.now() + UInt64(seconds) * Self.second
  }

  private mutating func look(at now: UInt64) {
    lookedAt = now
    // It is written on this machine: its size costs no look at another.
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

  /// The page, with its texts whole if they can be had so within a few tries.
  private borrowing func readPage() -> [UInt8]? {
    var image: [UInt8] = []
    for _ in 0..<4 {
      guard let bytes = try? page.read(at: 0, maximum: Mirror.imageSize) else { return nil }
      image = Mirror.image(of: bytes)
      if image[PageLayout.textSequence] % 2 == 0 { break }
    }
    return image
  }

  /// What cannot be written now (a full disk, a server that is away) is written with the next pace;
  /// meanwhile whoever looks sees that nothing comes, and the job goes on.
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
    // What is lost is seen with the next look at the mirror itself.
    try? changes?.note(mirror.sequence, slot: orders.slot)
  }
}

extension PageSnapshot {
  /// Whether the worker wrote anything since `old`.
  fileprivate func hasNews(since old: PageSnapshot) -> Bool {
    completed != old.completed || total != old.total || reports != old.reports || unit != old.unit
      || textSequence != old.textSequence || quietUntil != old.quietUntil
  }

  /// Whether the fraction grew; see `PageSample.isAdvance` of the rules, which judge by it.
  fileprivate func isAdvance(from old: PageSnapshot) -> Bool {
    guard total > 0 else { return false }
    guard old.total > 0 else { return true }
    let new = min(completed, total).multipliedFullWidth(by: old.total)
    let before = min(old.completed, old.total).multipliedFullWidth(by: total)
    return (new.high, new.low) > (before.high, before.low)
  }
}

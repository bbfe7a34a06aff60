import JobCore
import JobWire
import LinuxSystem

/// The line to the helper of one engine, which is started when it is needed, again when it has ended, and
/// let go when no job of its engine is live.
final class EngineLink {
  /// The result of handling a report.
  enum Reception {
    case taken
    /// It cannot be true; the phrase gives the reason.
    case lie(String)
  }

  private(set) var command: EngineCommand
  let loop: Reactor
  let received: (EngineReport) -> Reception
  /// Its name in the trap log.
  let label: String
  /// The number of its attempts.
  let attempts: () -> Int
  /// Whether there is trouble is different now.
  let changed: () -> Void
  /// The helper has said that it is there.
  var isReady = false
  /// It was cut for the same before, which needs no telling twice.
  private(set) var isTroubleKnown = false
  /// Why it does not report, and since when; nil while it does.
  var trouble: (why: String, since: WallTime)?
  var process: ProcessDescriptor?
  /// When it was started last.
  var startedAt = Instant.now()
  /// When it last sent a line, or was started, and whether it was pinged since.
  var heardAt = Instant.now()
  var isAsked = false
  /// It only copies the programs there.
  private var isCopying = false
  /// The programs were copied since they were last found missing.
  var hasCopied = false
  private var greeting: EngineOrder?
  /// Whether the helper is ending, and whether to start it again afterwards.
  private var isLeaving = false
  private var isWantedAgain = false
  private var input: FileDescriptor?
  var output: FileDescriptor?
  /// Its standard error, and the part of the last line read so far.
  var complaints: FileDescriptor?
  var complaint: [UInt8] = []
  var lines = LineSplitter()
  /// Whether lines wait until other parts have had their turn.
  var hasMore = false
  var allowance = EngineAllowance()
  /// Why its reports are ignored; its end is awaited.
  var cutFor: String?
  /// How often in a row it was cut, and the last reason.
  var cuts: UInt64 = 0
  var cutBefore: Set<String> = []
  /// How many watchers were announced since then; the number is limited so that others have their turn.
  private var watchers = (count: 0, since: Instant.now())
  /// Output that the helper has not read yet.
  private var unsent = OutputBuffer()
  /// When to start it again.
  private(set) var startAt: Instant?
  var pause = EngineLink.firstPause

  static let firstPause = Interval.seconds(1)
  static let lastPause = Interval.seconds(60)
  /// A helper that ran this long is restarted at once; the interruption is only reported if that fails.
  private static let longLife = Interval.seconds(5)
  /// A helper that is silent for this long is pinged, and after the same time again considered hung.
  private static let silence = Interval.seconds(30)
  /// The delay before a cut helper is restarted; it doubles each time.
  private static let cutPause = Interval.seconds(5)
  private static let watcherPause = Interval.milliseconds(100)
  private static let watchersAtOnce = 10

  init(
    _ command: EngineCommand, loop: Reactor, label: String, attempts: @escaping () -> Int,
    received: @escaping (EngineReport) -> Reception, changed: @escaping () -> Void
  ) {
    self.command = command
    self.loop = loop
    self.label = label
    self.attempts = attempts
    self.received = received
    self.changed = changed
  }

  var settings: EngineSettings { command.settings }

  /// Starts the helper unless it runs or its restart is delayed.
  func open(_ command: EngineCommand, greeting: EngineOrder) {
    if isLeaving {
      (self.command, self.greeting) = (command, greeting)
      isWantedAgain = true
      return
    }
    // Other settings may fix the problem.
    let isDue = command.settings != settings || startAt.map { $0 <= .now() } ?? true
    guard process == nil, isDue else { return }
    (self.command, self.greeting) = (command, greeting)
    start(command.start)
  }

  /// When to start it again, which the caller does, or to check it.
  var due: Instant? {
    if process == nil { return startAt }
    if isCopying || cutFor != nil { return nil }
    if hasMore { return heardAt }
    return heardAt + timeout
  }

  private var timeout: Interval {
    isReady && !isAsked ? Self.silence : Self.silence + Self.silence
  }

  /// A helper may hang because of the files or the connection that it uses.
  ///
  /// A hung helper that was ready is not replaced, because another would hang, too.
  func lookAfter(at now: Instant) {
    guard process != nil, cutFor == nil, !isCopying else { return }
    if hasMore { takeLines(atMost: Self.linesAtOnce) }
    guard process != nil, cutFor == nil, heardAt + timeout <= now else { return }
    if !isReady {
      kill()
    } else if isAsked {
      heardAt = now  // it is checked again then
      complain("its helper is blocked by a file or a connection")
    } else {
      isAsked = true
      send(.ping)
    }
  }

  private func kill() {
    guard process != nil else { return }
    complaint = Array("no answer came within \((Self.silence + Self.silence).words)".utf8)
    _ = try? process?.signal(Signal.kill)
  }

  private func start(_ arguments: [String]) {
    startAt = nil
    do throws(SystemError) {
      try spawn(arguments)
      if !isCopying, let greeting { send(greeting) }
    } catch {
      isCopying = false
      fail("its helper cannot be started: \(error)")
    }
  }

  private func spawn(_ arguments: [String]) throws(SystemError) {
    var orders = try Pipe()
    let reading = orders.takeReading()
    let writing = orders.takeWriting()
    var reports = try Pipe()
    let listening = reports.takeReading()
    let telling = reports.takeWriting()
    try writing.setNonblocking(true)
    try listening.setNonblocking(true)
    var errors = try Pipe()
    let hearing = errors.takeReading()
    let complaining = errors.takeWriting()
    try hearing.setNonblocking(true)
    var spawn = Spawn(arguments)
    spawn.startsSession = true
    spawn.directory = Array("/".utf8)
    spawn.descriptors = [
      .init(reading.number, as: 0), .init(telling.number, as: 1), .init(complaining.number, as: 2),
    ]
    let child = try spawn.startWatched()
    do throws(SystemError) {
      try loop.watch(child.number) { [unowned self] _ in ended() }
      try loop.watch(listening.number) { [unowned self] _ in read() }
      try loop.watch(hearing.number) { [unowned self] _ in hear() }
    } catch {
      loop.remove(child.number)
      loop.remove(listening.number)
      ChildProcess.discard(child.pid)
      throw error
    }
    process = consume child
    input = consume writing
    output = consume listening
    complaints = consume hearing
    complaint = []
    lines = LineSplitter()
    (hasMore, cutFor) = (false, nil)
    unsent = OutputBuffer()
    (heardAt, isAsked) = (.now(), false)
    startedAt = heardAt
  }

  /// Sends an order, and the data that it announces.
  func send(_ order: EngineOrder, _ bytes: [UInt8] = []) {
    guard process != nil else { return }
    unsent.append(contentsOf: order.line)
    unsent.append(contentsOf: bytes)
    flush()
  }

  /// Announces a watcher of an attempt, of which there may be many; false = not sent, because a stop would have
  /// to wait behind a large number of them.
  func tellOfWatcher(of attempt: EngineAttempt, seconds: UInt32, at now: Instant) -> Bool {
    guard isReady, unsent.isEmpty else { return false }
    if now - watchers.since >= Self.watcherPause { watchers = (0, now) }
    guard watchers.count < Self.watchersAtOnce else { return false }
    watchers.count += 1
    send(.watch(attempt, seconds: seconds))
    return true
  }

  private func flush() {
    guard let number = input?.number else { return }
    defer { if isLeaving, unsent.isEmpty { closeInput() } }
    while !unsent.isEmpty {
      do throws(SystemError) {
        guard let count = try input?.write(unsent.pending) else {
          // The rest goes when there is room.
          try loop.watch(number, .writable) { [unowned self] _ in
            loop.remove(number)
            flush()
          }
          return
        }
        unsent.consume(count)
      } catch {
        return  // it has ended; its process descriptor reports that
      }
    }
    unsent.releaseCapacity()
  }

  private func ended() {
    takeLast()
    var status: ChildEnd.Status?
    if let pid = process?.pid, case .ended(let end)? = try? ChildProcess.reap(pid) {
      status = end.status
    }
    let wasFine = isReady && Instant.now() - startedAt >= Self.longLife
    close()
    let wasCopying = isCopying
    isCopying = false
    if isLeaving {
      isLeaving = false
      if isWantedAgain { start(command.start) }
      return
    }
    if cutFor.take() != nil {
      startAt = .now() + min(Self.cutPause * (1 << min(cuts, 4)), Self.lastPause)
      return
    }
    if wasCopying, status == .exited(0) { return start(command.start) }
    if status == .exited(EngineCommand.exitMissing), !hasCopied, let copy = command.copy {
      (isCopying, hasCopied) = (true, true)
      return start(copy)
    }
    hasCopied = false
    if wasFine {
      startAt = .now()
      _ = received(.note("its helper has ended, and is started again"))
      return
    }
    let sentence = HelperComplaint.sentence(complaint, host: settings.through)
    fail(sentence.isEmpty ? "its helper has ended" : sentence)
  }

  /// Starting it failed; retry later.
  func fail(_ why: String) {
    startAt = .now() + pause
    pause = min(pause * 2, Self.lastPause)
    complain(why)
  }

  func complain(_ why: String) {
    if trouble?.why == why { return }
    isTroubleKnown = cutFor != nil && (cutBefore.contains(why) || cutBefore.count >= 8)
    if cutFor != nil { cutBefore.insert(why) }
    trouble = (why, trouble?.since ?? .now())
    changed()
  }

  private func close() {
    isReady = false
    if let process = process.take() { loop.remove(process.number) }
    closeInput()
    closeOutput()
    if let complaints = complaints.take() { loop.remove(complaints.number) }
  }

  func closeOutput() {
    if let output = output.take() { loop.remove(output.number) }
  }

  private func closeInput() {
    if let input = input.take() { loop.remove(input.number) }
  }

  /// It is not to be started at all.
  func refuse(_ why: String) {
    startAt = nil
    complain(why)
  }

  /// It is configured no longer.
  func giveUp() {
    startAt = nil
    if !isReady { trouble = nil }
  }

  /// No job needs it: the helper finishes its orders, ends with its input, and is not restarted.
  func letGo() {
    startAt = nil
    trouble = nil
    guard process != nil else { return }
    (isReady, isLeaving, isWantedAgain) = (false, true, false)
    flush()
  }
}

import JobCore
import JobWire
import LinuxSystem

/// Copies files of one attempt to or from its machine, by rsync(1) over the engine's ssh(1).
///
/// A file has its name only once it is whole and its checksum is right. What a cut leaves is in a folder
/// `.jobrun-partial` beside it, where the next try goes on.
final class FileTransfer {
  enum Direction {
    case send, fetch
  }

  enum Ending {
    case done
    /// The connection failed, or there is no space now.
    case later(String)
    case never(String)
  }

  private let direction: Direction
  private let host: String
  private let place: FilePlace
  private let paths: [String]
  private let loop: Reactor
  private let progressed: (String) -> Void
  private let ended: (Ending) -> Void
  /// The sum of all sizes, which the first of two calls tells.
  private var total: UInt64?
  private var process: ProcessDescriptor?
  private var output: FileDescriptor?
  private var complaints: FileDescriptor?
  private var text: [UInt8] = []
  private var complaint: [UInt8] = []
  private var toldAt: Instant?
  private var isCancelled = false

  /// Most of what it says that is kept, in bytes.
  private static let longestText = 4_096
  /// The time between two reports of its progress.
  private static let pace = Interval.seconds(2)

  /// `progressed` gets a phrase like `1.2/4 GB`.
  init(
    _ direction: Direction, _ paths: [String], _ place: FilePlace, host: String, loop: Reactor,
    progressed: @escaping (String) -> Void, ended: @escaping (Ending) -> Void
  ) {
    (self.direction, self.paths, self.place, self.host) = (direction, paths, place, host)
    (self.loop, self.progressed, self.ended) = (loop, progressed, ended)
  }

  /// Begins; the end is told later, also of what cannot be begun.
  func start() {
    do throws(SystemError) {
      try spawn()
    } catch {
      close()
      ended(
        error.number == SystemError.notFound
          ? .never("there is no rsync on this machine; install it") : .later("\(error)"))
    }
  }

  /// Ends it, and tells nothing more; rsync keeps what it has for the next try.
  func cancel() {
    isCancelled = true
    if let pid = process?.pid { ProcessGroup.signal(pid, Signal.terminate) }
  }

  private var arguments: [String] {
    var words = ["rsync", "-rlptRs", "--no-implied-dirs", "--no-human-readable"]
    if total == nil {
      words += ["--dry-run", "--stats"]
    } else {
      words += ["--partial-dir=.jobrun-partial", "--no-inc-recursive", "--outbuf=N"]
      words.append("--info=progress2")
    }
    words += ["-e", SSHCommand.words.joined(separator: " "), "--"]
    let places = paths.map { place.place(of: $0) }
    switch direction {
    case .send:
      // A colon would make a host of a name.
      return words + places.map { "./\($0)" } + [total == nil ? ".jobrun-none" : remote("")]
    case .fetch:
      let first = places.first.map { [remote($0)] } ?? []
      return words + first + places.dropFirst().map { ":\(place.target)\($0)" } + ["."]
    }
  }

  private func remote(_ path: String) -> String { "\(host):\(place.target)\(path)" }

  private func spawn() throws(SystemError) {
    var written = try Pipe()
    let reading = written.takeReading()
    let writing = written.takeWriting()
    var failed = try Pipe()
    let hearing = failed.takeReading()
    let complaining = failed.takeWriting()
    try reading.setNonblocking(true)
    try hearing.setNonblocking(true)
    let nothing = try File.open("/dev/null", [.read])
    var spawn = Spawn(
      arguments,
      environment: CurrentProcess.environment().filter { !$0.starts(with: "LC_ALL=".utf8) }
        + [Array("LC_ALL=C".utf8)])
    spawn.startsSession = true
    spawn.deathSignal = Signal.terminate
    spawn.directory = Array(place.base.utf8)
    spawn.descriptors = [
      .init(nothing.number, as: 0), .init(writing.number, as: 1), .init(complaining.number, as: 2),
    ]
    let child = try spawn.startWatched()
    do throws(SystemError) {
      // It stays as long as it is watched, whoever lets go of it.
      try loop.watch(child.number) { [self] _ in finish() }
      try loop.watch(reading.number) { [self] _ in read() }
      try loop.watch(hearing.number) { [self] _ in hear() }
    } catch {
      for number in [child.number, reading.number, hearing.number] { loop.remove(number) }
      ChildProcess.discard(child.pid)
      throw error
    }
    process = consume child
    output = consume reading
    complaints = consume hearing
    (text, complaint) = ([], [])
  }

  private func read() {
    guard Self.take(&output, into: &text, loop), let total else { return }
    let now = Instant.now()
    if let toldAt, now - toldAt < Self.pace { return }
    guard let done = Self.bytes(in: text), done > 0 else { return }
    toldAt = now
    if !isCancelled {
      progressed(QuantityText.amount(min(done, total), of: max(total, 1), .bytes))
    }
  }

  private func hear() { _ = Self.take(&complaints, into: &complaint, loop) }

  /// Takes what there is; false when nothing came.
  private static func take(
    _ file: inout FileDescriptor?, into bytes: inout [UInt8], _ loop: Reactor
  ) -> Bool {
    switch try? file?.read(into: &bytes) {
    case .bytes?:
      if bytes.count > longestText { bytes.removeFirst(bytes.count - longestText) }
      return true
    case .end?:
      if let ended = file.take() { loop.remove(ended.number) }
      return false
    case .wouldBlock?, nil: return false
    }
  }

  /// The last line that begins with a number; lines of progress end with a carriage return.
  private static func bytes(in text: [UInt8]) -> UInt64? {
    let lines = text.split { $0 == 0x0A || $0 == 0x0D }
    return lines.reversed().lazy.compactMap { line in
      line.split(separator: 0x20).first.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }.first
  }

  private func finish() {
    while Self.take(&output, into: &text, loop) {}
    while Self.take(&complaints, into: &complaint, loop) {}
    var status: ChildEnd.Status?
    if let pid = process?.pid, case .ended(let end)? = try? ChildProcess.reap(pid) {
      status = end.status
    }
    close()
    if isCancelled { return }
    let ending = ending(status)
    guard case .done = ending, total == nil else { return ended(ending) }
    total = Self.total(in: text)
    start()
  }

  private func close() {
    if let process = process.take() { loop.remove(process.number) }
    if let output = output.take() { loop.remove(output.number) }
    if let complaints = complaints.take() { loop.remove(complaints.number) }
  }

  /// From `Total file size: 5000003 bytes`.
  private static func total(in text: [UInt8]) -> UInt64 {
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("Total file size: ") {
      return UInt64(line.split(separator: " ")[3].filter { $0 != "," }) ?? 0
    }
    return 0
  }

  /// The meaning of an exit status of rsync(1).
  private func ending(_ status: ChildEnd.Status?) -> Ending {
    guard case .exited(let code)? = status else { return .later("rsync was killed") }
    let lines = complaint.split { $0 == 0x0A || $0 == 0x0D }.map {
      SafeText.shown(String(decoding: $0, as: UTF8.self))
    }
    let why = lines.first ?? "rsync ended with \(code)"
    switch code {
    // Files that vanished meanwhile are none of the job's.
    case 0, 24: return .done
    case 127: return .never("there is no rsync on \(host); install it there")
    case 11: return .later(why)
    case 1, 2, 3, 4, 6, 13, 14, 22, 23:
      return lines.contains { $0.holds("No space left") } ? .later(why) : .never(why)
    default: return .later(why)
    }
  }
}

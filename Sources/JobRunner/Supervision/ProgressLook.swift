package import JobCore
package import JobRecognition
import JobWire
import LinuxSystem

/// What is seen of an attempt's progress from outside: in the newest part of its output, else in the
/// files that it has open.
///
/// A look reads no more than `pieceBytes` of the log, twice as much the first time, so that its cost
/// does not grow with the output; and it is taken only when somebody wants to know.
package struct ProgressLook {
  /// Looks closer together than this are one.
  private static let interval = Span.milliseconds(900)
  private static let pieceBytes = 16 * 1024

  private var output: OutputRecogniser
  /// Nil where only the output counts.
  private var files: FileRecogniser?
  /// Up to where the log was read; nil before the first look.
  private var offset: UInt64?
  private var lookedAt: Instant?
  package private(set) var finding: Finding?

  /// Nil when nothing is to be looked for.
  package init?(_ observation: Observation) {
    switch observation.recognition {
    case .none: return nil
    case .auto:
      output = OutputRecogniser()
      files = FileRecogniser()
    case .pattern(let text):
      // It was tried when the job was submitted.
      guard let pattern = try? ExtendedPattern(text) else { return nil }
      output = OutputRecogniser(only: GivenPattern(text) { pattern.groups(in: $0) })
    }
  }

  /// Looks at the log, and at the files of what runs below the supervisor.
  package mutating func look(log: String, below supervisor: Int32?, at now: Instant) {
    if let lookedAt, now < lookedAt + Self.interval { return }
    lookedAt = now
    readLog(log, at: now)
    finding = output.finding ?? finding
    // An amount without a total is worth less than a file whose end is known.
    guard files != nil, (output.finding?.counts.total ?? 0) == 0, let supervisor else { return }
    lookAtFiles(log: log, below: supervisor)
  }

  /// The last look, when the attempt has ended; `well`: with exit code 0.
  mutating func conclude(log: String, well: Bool, at now: Instant) {
    // Nobody has asked before, so nobody will miss it.
    guard lookedAt != nil else { return }
    readLog(log, at: now)
    if let last = output.finding, last.counts.total > 0 || finding?.source != .file {
      let total = finding?.counts.total ?? 0
      finding = last
      if last.counts.total == 0, last.counts.unit == .bytes, total >= last.counts.completed {
        finding?.counts.total = total
      }
    } else if well, let total = finding?.counts.total, total > 0 {
      // What a program that ended well did not read it did not want.
      finding?.counts.completed = total
    }
  }

  private mutating func readLog(_ path: String, at now: Instant) {
    guard let log = try? File.open(path), let size = try? log.size() else { return }
    let piece = UInt64(Self.pieceBytes)
    // The start tells what the rest is measured by: the length of a film, the number of packages.
    if offset == nil { read(log, from: 0, at: now) }
    if let offset, size < offset {
      // It was cut: what stands there now begins anew.
      output.skip()
      self.offset = 0
    }
    let known = offset ?? 0
    if size - known > piece {
      output.skip()
      read(log, from: size - piece, at: now)
    } else if size > known {
      read(log, from: known, at: now)
    }
  }

  private mutating func read(_ log: borrowing FileDescriptor, from start: UInt64, at now: Instant) {
    let bytes = (try? log.read(at: start, maximum: Self.pieceBytes)) ?? []
    output.take(bytes, at: now)
    offset = start + UInt64(bytes.count)
  }

  private mutating func lookAtFiles(log: String, below supervisor: Int32) {
    let ours = (try? File.status(log)) ?? nil
    let open = ProcessFiles.regularFiles(below: supervisor)
      .filter { $0.device != ours?.device || $0.node != ours?.node }
      .compactMap { OpenFile($0) }
    files?.take(open)
    if var amount = output.finding, amount.counts.unit == .bytes {
      // What it counts is what it reads, so that the size of its input is the whole.
      let size = FileRecogniser.largestInput(of: open) ?? finding?.counts.total ?? 0
      if size >= amount.counts.completed { amount.counts.total = size }
      finding = amount
    } else if let seen = files?.finding, output.finding == nil || seen.counts.total > 0 {
      finding = seen
    }
  }
}

extension OpenFile {
  /// Nil when the kernel does not say where in the file the process is.
  init?(_ entry: ProcessFiles.Entry) {
    guard let place = FilePosition(information: entry.information) else { return nil }
    let name = entry.path.split(separator: "/").last.map { String($0) } ?? "a file"
    self.init(
      identity: Identity(device: entry.device, inode: entry.node), name: name, size: entry.size,
      place: place)
  }
}

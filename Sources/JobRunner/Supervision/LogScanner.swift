package import JobCore
import JobPage
package import JobRecognition
import JobWire
import LinuxSystem

/// Scans an attempt's output, and the files that it has open, for an `ExternalProgress`.
///
/// A scan reads at most `pieceBytes` of the log, twice as much the first time, so that its cost does not grow
/// with the output; scans happen only on demand.
package struct LogScanner {
  /// Scans within this time are merged.
  private static let interval = Interval.milliseconds(900)
  private static let pieceBytes = 16 * 1024

  private var view: ExternalProgress
  /// By the kernel's clock for files: the job made all files that are not older.
  private let startedNanoseconds: Int64
  /// The offset up to which the log was read; nil before the first scan.
  private var offset: UInt64?
  private var lookedAt: Instant?

  package var finding: Finding? { view.finding }

  /// Nil without an observation.
  ///
  /// `command`: the job's, empty if unknown; `startedNanoseconds`: when the job began, since 1970.
  package init?(
    _ observation: Observation, command: [String] = [], startedNanoseconds: Int64
  ) {
    self.startedNanoseconds = startedNanoseconds
    switch observation.recognition {
    case .none: return nil
    case .auto: view = ExternalProgress(OutputRecogniser(command: command), withFiles: true)
    case .make(let commands, let words):
      let recogniser = OutputRecogniser(only: MakeCommands(commands: commands, words: words))
      view = ExternalProgress(recogniser, withFiles: false)
    case .pattern(let text):
      // It was tried when the job was submitted.
      guard let pattern = try? LinePattern(text) else { return nil }
      view = ExternalProgress(OutputRecogniser(only: GivenPattern(pattern)), withFiles: false)
    }
  }

  /// Scans the log, and the files of processes below the supervisor.
  package mutating func look(log: String, below supervisor: Int32?, at now: Instant) {
    if let lookedAt, now < lookedAt + Self.interval { return }
    lookedAt = now
    readLog(log, at: now)
    view.rest(at: now)
    guard view.wantsFiles, let supervisor else { return }
    let ours = (try? File.status(log)) ?? nil
    let files = ProcessFiles.regularFiles(
      below: supervisor, minimumBytes: FileRecogniser.minimumBytes,
      independents: ProcessTree.programsOfNoJob
    )
    .filter { $0.device != ours?.device || $0.node != ours?.node }
    .compactMap { OpenFile($0, startedNanoseconds: startedNanoseconds) }
    view.receive(files: files, at: now)
  }

  /// The last scan, after the attempt's end; `well`: it succeeded.
  package mutating func conclude(log: String, well: Bool, at now: Instant) {
    // No client has asked before, so none needs it.
    guard lookedAt != nil else { return }
    readLog(log, at: now)
    view.conclude(well: well, at: now)
  }

  private mutating func readLog(_ path: String, at now: Instant) {
    // A pipe that took the place of the log must not hold the runner up.
    guard let log = try? File.open(path, [.read, .nonblocking]), let size = try? log.size() else {
      return
    }
    let piece = UInt64(Self.pieceBytes)
    // The start has the total: the length of a film, the number of packages.
    if offset == nil { read(log, from: 0, at: now) }
    if let offset, size < offset {
      // It was truncated: the current content is new.
      view.skip()
      self.offset = 0
    }
    let known = offset ?? 0
    if size - known > piece {
      view.skip()
      read(log, from: size - piece, at: now)
    } else if size > known {
      read(log, from: known, at: now)
    }
  }

  private mutating func read(_ log: borrowing FileDescriptor, from start: UInt64, at now: Instant) {
    let bytes = (try? log.read(at: start, maximum: Self.pieceBytes)) ?? []
    view.receive(bytes, at: now)
    offset = start + UInt64(bytes.count)
  }
}

extension OpenFile {
  /// Nil if the kernel does not report the process's file position.
  init?(_ entry: ProcessFiles.Entry, startedNanoseconds: Int64) {
    var place: FilePosition?
    if let information = entry.information {
      place = FilePosition(information: information)
      if place == nil { return nil }
    }
    let name = entry.path.split(separator: "/").last.map { String($0) } ?? "a file"
    // Without a creation time the modification time decides.
    let born = entry.bornNanoseconds > 0 ? entry.bornNanoseconds : entry.modifiedNanoseconds
    self.init(
      identity: Identity(device: entry.device, inode: entry.node), name: name, size: entry.size,
      place: place, isNamed: entry.isNamed,
      isOlder: born < startedNanoseconds, hasName: entry.hasName,
      modifiedNanoseconds: entry.modifiedNanoseconds, heldBytes: entry.privateBytes)
  }
}

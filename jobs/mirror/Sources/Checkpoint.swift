internal import Glibc
internal import JobFiles

/// The list of finished files: one record for each, kept in `JOBRUN_STATE_DIR` from attempt to attempt.
///
/// The file is a sequence of fields, each ended by a NUL. A record is its kind and a fixed number of
/// fields: `mirror1 SOURCE TARGET PARTIAL` once at the start, `boot ID` for each attempt, and `file PATH
/// SIZE SECONDS NANOSECONDS SHA256` for each finished file. Each record is appended with one write after
/// the file has its name; an incomplete record of a killed attempt at the end is cut off.
final class Checkpoint {
  private static let fileName = BytePath("finished")

  /// The name of unfinished copies; the same in all attempts, and unique to this job.
  let partialName: BytePath
  /// Whether an earlier attempt had started.
  let isResumed: Bool

  private let path: BytePath?
  private let descriptor: Int32
  /// Finished files that were written during this boot of the machine.
  private var trusted: [BytePath: FileStamp] = [:]

  /// Loads the notes of earlier attempts in the folder `state`; nil keeps nothing.
  ///
  /// Throws, and leaves no notes, if this is the first attempt and the target is not free.
  init(in state: BytePath?, for plan: MirrorPlan, boot: String) throws(MirrorError) {
    path = state?.appending(Self.fileName)
    descriptor = try path.map(Self.open) ?? -1
    var content = CheckpointContent(
      descriptor < 0 ? [] : try Self.read(descriptor), boot: boot)
    if let header = content.header, header.source == plan.source, header.target == plan.target {
      isResumed = true
      partialName = header.partialName
    } else {
      isResumed = false
      content = CheckpointContent([], boot: boot)
      let mark = String(UInt64.random(in: .min ... .max), radix: 36)
      partialName = BytePath(".mirror-\(mark).partial")
    }
    trusted = content.trusted
    do {
      // Before the header says that the target is this job's.
      if !isResumed { try plan.checkTargetIsFree() }
    } catch {
      remove()
      throw error
    }
    try begin(content, plan, boot: boot)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether this very file was finished, and cannot have been lost in a crash of the machine since.
  func isFinished(_ path: BytePath, _ stamp: FileStamp) -> Bool { trusted[path] == stamp }

  /// Records a file that has its name.
  func add(_ path: BytePath, _ stamp: FileStamp, digest: [UInt8]) throws(MirrorError) {
    trusted[path] = stamp
    let hexadecimal = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    try append(
      [BytePath("file"), path]
        + ["\(stamp.size)", "\(stamp.seconds)", "\(stamp.nanoseconds)", hexadecimal.joined()]
        .map { BytePath($0) })
  }

  /// The work is done: the checkpoint is no longer needed.
  func remove() {
    guard let path else { return }
    // On failure a small file stays in a folder of jobrun's own.
    _ = unsafe path.withCString { unsafe unlink($0) }
  }

  private func begin(
    _ content: CheckpointContent, _ plan: MirrorPlan, boot: String
  ) throws(MirrorError) {
    guard descriptor >= 0 else { return }
    guard ftruncate(descriptor, off_t(content.wholeBytes)) == 0 else {
      throw .checkpoint(Report.reason(errno))
    }
    if !isResumed {
      try append([BytePath(CheckpointContent.mark), plan.source, plan.target, partialName])
    }
    try append([BytePath("boot"), BytePath(boot)])
  }

  private func append(_ fields: [BytePath]) throws(MirrorError) {
    guard descriptor >= 0 else { return }
    let record = Array(fields.map { $0.bytes + [0] }.joined())
    let written = unsafe record.withUnsafeBytes { bytes in
      unsafe write(descriptor, bytes.baseAddress, bytes.count)
    }
    guard written == record.count else {
      throw .checkpoint(written < 0 ? Report.reason(errno) : Report.reason(ENOSPC))
    }
  }

  private static func open(_ path: BytePath) throws(MirrorError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe path.withCString { unsafe Glibc.open($0, flags, 0o600) }
    guard descriptor >= 0 else { throw .checkpoint(Report.reason(errno)) }
    return descriptor
  }

  private static func read(_ descriptor: Int32) throws(MirrorError) -> [UInt8] {
    let block = ReadBlock()
    var bytes: [UInt8] = []
    while true {
      let count = block.fill(from: descriptor)
      guard count >= 0 else { throw .checkpoint(Report.reason(errno)) }
      unsafe bytes.append(contentsOf: block.bytes(count))
      if count < block.count { return bytes }
    }
  }
}

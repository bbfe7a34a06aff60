internal import Glibc
internal import JobFiles

/// The note in a job's state folder of the file that its download has given its name.
///
/// A process may be killed after that, and before its success is known. The job's next attempt recognizes
/// the file as its own by this note. It is a sequence of fields, each ended by a NUL: inode, size in bytes,
/// seconds and nanoseconds of the last change, name, and the arguments of the job.
struct PublishedNote {
  private static let fileName = BytePath("published")
  private static let maximumBytes = 1 << 16

  /// Nil keeps nothing.
  private let path: BytePath?
  private let arguments = JobProcess.arguments

  /// `state`: the folder that is kept from attempt to attempt.
  init(in state: BytePath?) { path = state?.appending(Self.fileName) }

  /// Writes the note; called before the file open as `descriptor` gets the name `target`.
  ///
  /// Without the note, for example on a full disk, the next attempt takes the file for another's.
  func write(_ target: BytePath, _ descriptor: Int32) {
    guard let path, let status = FileStatus(descriptor) else { return }
    let fields = Self.fields(status) + [target] + arguments
    _ = SmallFile.replace(path, with: Array(fields.map { $0.bytes + [0] }.joined()), durably: true)
  }

  /// The job's success is recorded: from now on the file is a person's.
  func remove() {
    if let path { SmallFile.remove(path) }
  }

  /// The name that an earlier attempt with the same arguments gave its file, which has not changed since.
  var target: BytePath? {
    guard let path, let bytes = SmallFile.read(path, most: Self.maximumBytes, isOwn: true) else {
      return nil
    }
    let fields = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { BytePath($0) }
    let count = 4
    guard fields.count > count, Array(fields.dropFirst(count + 1)) == arguments,
      let status = FileStatus(fields[count], follow: false), status.kind == .file,
      Self.fields(status) == Array(fields.prefix(count))
    else { return nil }
    return fields[count]
  }

  private static func fields(_ status: FileStatus) -> [BytePath] {
    let (raw, changed) = (status.raw, status.raw.st_mtim)
    return ["\(raw.st_ino)", "\(raw.st_size)", "\(changed.tv_sec)", "\(changed.tv_nsec)"]
      .map { BytePath($0) }
  }
}

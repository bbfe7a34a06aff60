internal import Glibc
internal import JobFiles

/// The note in a job's state folder that a request which must not be sent twice may have arrived.
///
/// It is on the disk before the request is sent, and stays until its server is known to have refused or
/// answered it: a job cannot tell a redo, which a person asks for, from an attempt that the runner starts.
/// It consists of the arguments of the job, each ended by a NUL.
final class SentNote {
  private static let fileName = BytePath("sent")
  /// More than the kernel's limit for the arguments of a process.
  private static let maximumBytes = 1 << 23

  /// Nil keeps it for this attempt only.
  private let path: BytePath?
  /// Whether a request may have arrived, in this attempt or an earlier one.
  private(set) var isThere: Bool

  /// `state`: the folder that is kept from attempt to attempt.
  init(in state: BytePath?) {
    path = state?.appending(Self.fileName)
    let bytes = path.flatMap { SmallFile.read($0, most: Self.maximumBytes, isOwn: true) }
    isThere = bytes == Self.content
  }

  func write() throws(TransferError) {
    if let path {
      guard SmallFile.replace(path, with: Self.content, durably: true) else {
        throw .target(path, "it cannot be written")
      }
      // Its name, too.
      let folder = unsafe path.folder.withCString {
        unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      }
      if folder >= 0 {
        fsync(folder)
        close(folder)
      }
    }
    isThere = true
  }

  func remove() {
    if let path { SmallFile.remove(path) }
    isThere = false
  }

  private static var content: [UInt8] {
    Array(JobProcess.arguments.map { $0.bytes + [0] }.joined())
  }
}

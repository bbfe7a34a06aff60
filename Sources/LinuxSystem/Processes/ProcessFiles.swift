/// The open files of a process and its descendants, from `/proc`.
///
/// Only the tree is read, so that the cost does not grow with the number of processes on the machine; a
/// large tree, or a process with many files, is read in part. The scan never waits for a file server: files
/// on another machine are left out, as a lost server would block it for ever. Processes that end meanwhile
/// or belong to another user are left out, too.
package enum ProcessFiles {
  /// One regular file that is open, or that the command line of a process names in the folder of an open
  /// one.
  package struct Entry: Hashable, Sendable {
    package var device: UInt64
    package var node: UInt64
    /// In bytes, now.
    package var size: UInt64
    /// The path, as far as it is known.
    package var path: String
    /// The lines of `/proc/PID/fdinfo/N` (proc_pid_fdinfo(5)); nil when the file is only named, not open.
    package var information: [UInt8]?
    /// The command line names the file, or it is the standard input.
    package var isNamed: Bool
    /// The file has not been removed.
    package var hasName: Bool
    /// The last change of its content, nanoseconds since 1970.
    package var modifiedNanoseconds: Int64
    /// The creation time; 0 if unknown.
    package var bornNanoseconds: Int64
    /// Memory of the process that is no file's, in bytes; 0 where the file is only named.
    package var privateBytes: UInt64

    init(
      _ status: FileStatus, path: String, information: [UInt8]?, isNamed: Bool,
      privateBytes: UInt64 = 0
    ) {
      device = status.device
      node = status.node
      size = status.size
      self.path = path
      self.information = information
      self.isNamed = isNamed
      hasName = status.links > 0 && !path.hasSuffix(" (deleted)")
      modifiedNanoseconds = status.modifiedNanoseconds
      bornNanoseconds = status.bornNanoseconds
      self.privateBytes = privateBytes
    }
  }

  /// Larger trees are scanned in part.
  private static let maximumProcesses = 64
  /// Of all processes together.
  private static let maximumThreads = 256
  /// Of a process with more descriptors, the lowest numbers are scanned.
  static let maximumDescriptors = 64
  /// Of all processes together.
  package static let maximumDescriptorsInAll = 256

  /// Regular files of at least this size that the descendants of a process have open, one entry per
  /// descriptor, and files that a command line names beside them.
  ///
  /// `independents` as in `ProcessTree`.
  package static func regularFiles(
    below pid: Int32, minimumBytes: UInt64 = 0, independents: [String] = []
  ) -> [Entry] {
    var look = OpenFileScan(remaining: maximumDescriptorsInAll, minimumBytes: minimumBytes)
    return descendants(of: pid, independents: independents).flatMap { look.entries(of: $0) }
  }

  /// The processes below one, parents first.
  package static func descendants(of pid: Int32, independents: [String] = []) -> [Int32] {
    var found: [Int32] = []
    var next = [pid]
    var threads = maximumThreads
    while let parent = next.popLast(), found.count < maximumProcesses {
      let children = children(of: parent, threads: &threads).filter { child in
        guard !independents.isEmpty, let status = ProcessStatus(pid: child) else { return true }
        return !(status.leadsSession && independents.contains(status.name))
      }.prefix(maximumProcesses - found.count)
      found += children
      next += children
    }
    return found
  }

  /// The children of a process, as its threads list them.
  package static func children(of pid: Int32) -> [Int32] {
    var threads = maximumThreads
    return children(of: pid, threads: &threads)
  }

  /// Every thread lists its own children (proc_pid_task(5)).
  private static func children(of pid: Int32, threads rest: inout Int) -> [Int32] {
    let threads = ((try? File.someNames(in: "/proc/\(pid)/task")) ?? []).prefix(rest)
    rest -= threads.count
    return threads.flatMap { thread in
      let list = (try? File.readAll("/proc/\(pid)/task/\(thread)/children", limit: 65536)) ?? []
      return list.split(separator: 0x20).compactMap {
        Int32(String(decoding: $0, as: UTF8.self))
      }
    }
  }
}

/// What a process and its descendants have open, as `/proc` shows it.
///
/// Only the tree is looked at, so that the cost does not grow with the machine's processes. What ends
/// meanwhile, or belongs to another user, is left out.
package enum ProcessFiles {
  /// One open regular file.
  package struct Entry: Hashable, Sendable {
    package var device: UInt64
    package var node: UInt64
    /// In bytes, now.
    package var size: UInt64
    /// Where it lies, as far as that is known.
    package var path: String
    /// The lines of `/proc/PID/fdinfo/N` (proc_pid_fdinfo(5)).
    package var information: [UInt8]
  }

  /// A tree of more processes is looked at in part.
  private static let mostProcesses = 64
  /// Of a process with more descriptors the first are looked at.
  private static let mostDescriptors = 64

  /// Regular files that the descendants of a process have open; each as often as it is open.
  package static func regularFiles(below pid: Int32) -> [Entry] {
    descendants(of: pid).flatMap { entries(of: $0) }
  }

  /// The processes below one, parents first.
  package static func descendants(of pid: Int32) -> [Int32] {
    var found: [Int32] = []
    var next = [pid]
    while let parent = next.popLast(), found.count < mostProcesses {
      let children = children(of: parent)
      found += children
      next += children
    }
    return found
  }

  /// Every thread lists the children that it has started (proc_pid_task(5)).
  private static func children(of pid: Int32) -> [Int32] {
    let threads = (try? File.names(in: "/proc/\(pid)/task")) ?? []
    return threads.prefix(mostProcesses).flatMap { thread in
      let list = (try? File.readAll("/proc/\(pid)/task/\(thread)/children", limit: 65536)) ?? []
      return list.split(separator: 0x20).compactMap {
        Int32(String(decoding: $0, as: UTF8.self))
      }
    }
  }

  private static func entries(of pid: Int32) -> [Entry] {
    let names = ((try? File.names(in: "/proc/\(pid)/fd")) ?? []).compactMap { Int32($0) }.sorted()
    return names.prefix(mostDescriptors).compactMap { number in
      let link = "/proc/\(pid)/fd/\(number)"
      guard let status = (try? File.status(link)) ?? nil, status.kind == .file,
        let information = try? File.readAll("/proc/\(pid)/fdinfo/\(number)", limit: 65536)
      else { return nil }
      return Entry(
        device: status.device, node: status.node, size: status.size,
        path: (try? File.linkTarget(link)) ?? "", information: information)
    }
  }
}

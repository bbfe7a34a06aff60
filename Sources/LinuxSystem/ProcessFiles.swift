/// What a process and its descendants have open, as `/proc` shows it.
///
/// Only the tree is looked at, so that the cost does not grow with the machine's processes, and of a
/// large tree or a process with many files only a part. Nobody is waited for: what lies on another
/// machine is left out, because one that has gone would be waited for without end. So is what ends
/// meanwhile, or belongs to another user.
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
  /// Of all processes together.
  private static let mostThreads = 256
  /// Of a process with more descriptors those with the lowest numbers are looked at.
  fileprivate static let mostDescriptors = 64
  /// Of all processes together.
  package static let mostDescriptorsInAll = 256

  /// Regular files that the descendants of a process have open; each as often as it is open.
  package static func regularFiles(below pid: Int32) -> [Entry] {
    var look = FileLook(rest: mostDescriptorsInAll)
    return descendants(of: pid).flatMap { look.entries(of: $0) }
  }

  /// The processes below one, parents first.
  package static func descendants(of pid: Int32) -> [Int32] {
    var found: [Int32] = []
    var next = [pid]
    var threads = mostThreads
    while let parent = next.popLast(), found.count < mostProcesses {
      let children = children(of: parent, threads: &threads).prefix(mostProcesses - found.count)
      found += children
      next += children
    }
    return found
  }

  /// Every thread lists the children that it has started (proc_pid_task(5)).
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

/// One look at the files of several processes, which mostly see the same mounts.
private struct FileLook {
  /// How many descriptors may still be looked at.
  var rest: Int
  /// By what `/proc/PID/ns/mnt` links to (mount_namespaces(7)).
  private var mounts: [String: MountTable] = [:]

  init(rest: Int) {
    self.rest = rest
  }

  mutating func entries(of pid: Int32) -> [ProcessFiles.Entry] {
    let folder = "/proc/\(pid)/fd"
    // The kernel lists them in ascending order, and only the first ones are asked for.
    let names = (rest > 0 ? try? File.someNames(in: folder) : nil) ?? []
    let numbers = names.prefix(min(rest, ProcessFiles.mostDescriptors))
    rest -= numbers.count
    guard !numbers.isEmpty else { return [] }
    let mounts = mounts(of: pid)
    return numbers.compactMap { number in
      guard let information = try? File.readAll("/proc/\(pid)/fdinfo/\(number)", limit: 65536),
        let mount = Self.mount(information), mounts.answersAtOnce(mount),
        let status = File.knownStatus("\(folder)/\(number)"), status.kind == .file
      else { return nil }
      return ProcessFiles.Entry(
        device: status.device, node: status.node, size: status.size,
        path: (try? File.linkTarget("\(folder)/\(number)")) ?? "", information: information)
    }
  }

  private mutating func mounts(of pid: Int32) -> MountTable {
    guard let view = try? File.linkTarget("/proc/\(pid)/ns/mnt") else {
      return MountTable(of: pid)
    }
    if let known = mounts[view] { return known }
    let table = MountTable(of: pid)
    mounts[view] = table
    return table
  }

  /// The number of the mount that the file was opened on: the line `mnt_id:`.
  private static func mount(_ information: [UInt8]) -> UInt64? {
    let name = Array("mnt_id:".utf8)
    for line in information.split(separator: 0x0A) where line.starts(with: name) {
      let digits = line.dropFirst(name.count).drop { $0 == 0x09 || $0 == 0x20 }
      return UInt64(String(decoding: digits, as: UTF8.self))
    }
    return nil
  }
}

/// Which mounts a process sees, by their numbers (proc_pid_mountinfo(5)).
///
/// It tells without asking the file system itself, which waits for ever where a server has gone.
package struct MountTable: Hashable, Sendable {
  /// A machine with more mounts is known in part: about 2,000 lines.
  private static let maximumBytes = 256 * 1024
  /// File systems without a block device that are in memory, or on devices that they manage, or ask
  /// no program about a file that the kernel knows (FUSE, with AT_STATX_DONT_SYNC).
  private static let answering: Set<String> = [
    "bcachefs", "btrfs", "devtmpfs", "fuse", "hugetlbfs", "overlay", "ramfs", "rootfs", "tmpfs",
    "virtiofs", "zfs",
  ]
  /// Those with one that other machines write to as well.
  private static let shared: Set<String> = ["gfs2", "ocfs2"]

  private var prompt: Set<UInt64> = []

  /// Those of a process; empty when it has ended.
  package init(of pid: Int32) {
    var bytes: [UInt8] = []
    if let file = try? File.open("/proc/\(pid)/mountinfo") {
      while bytes.count < Self.maximumBytes, case .bytes? = try? file.read(into: &bytes) {}
    }
    self.init(lines: bytes)
  }

  /// Reads the lines of the file; what is none is passed over.
  package init(lines: [UInt8]) {
    for line in lines.split(separator: 0x0A) {
      let fields = line.split(separator: 0x20)
      // Number, parent, device, root, place, options, any number of others, a hyphen, the type.
      guard fields.count > 6, let number = Self.number(fields[0]),
        let hyphen = fields[6...].firstIndex(where: { $0.elementsEqual([0x2D]) }),
        hyphen + 1 < fields.count
      else { continue }
      let type = String(decoding: fields[hyphen + 1], as: UTF8.self)
      if Self.answersAtOnce(type, device: fields[2]) { prompt.insert(number) }
    }
  }

  /// Whether a file there can be asked for its size without waiting for another machine or program;
  /// false for a mount that is not in the table.
  package func answersAtOnce(_ mount: UInt64) -> Bool {
    prompt.contains(mount)
  }

  private static func answersAtOnce(_ type: String, device: ArraySlice<UInt8>) -> Bool {
    if answering.contains(type) || type.hasPrefix("fuse.") { return true }
    return !device.starts(with: [0x30, 0x3A]) && !shared.contains(type)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    UInt64(String(decoding: digits, as: UTF8.self))
  }
}

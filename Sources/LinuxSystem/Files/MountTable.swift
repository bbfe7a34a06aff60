/// The mounts that a process sees, by number (proc_pid_mountinfo(5)).
///
/// Reading it never asks the file system itself, which would block for ever after its server has gone.
package struct MountTable: Hashable, Sendable {
  /// Enough for about 2,000 mounts; further ones are ignored.
  private static let maximumBytes = 256 * 1024
  /// File systems without a block device that are in memory, on devices that they manage, or that ask no
  /// program about a file the kernel knows (FUSE, with AT_STATX_DONT_SYNC).
  private static let answering: Set<String> = [
    "bcachefs", "btrfs", "devtmpfs", "fuse", "hugetlbfs", "overlay", "ramfs", "rootfs", "tmpfs",
    "virtiofs", "zfs",
  ]
  /// File systems on a block device that other machines write to as well.
  private static let shared: Set<String> = ["gfs2", "ocfs2"]

  private var prompt: Set<UInt64> = []

  /// The mounts of a process; empty when it has ended.
  package init(of pid: Int32) {
    var bytes: [UInt8] = []
    if let file = try? File.open("/proc/\(pid)/mountinfo") {
      while bytes.count < Self.maximumBytes, case .bytes? = try? file.read(into: &bytes) {}
    }
    self.init(lines: bytes)
  }

  /// Parses the lines of the file and skips malformed ones.
  package init(lines: [UInt8]) {
    for line in lines.split(separator: 0x0A) {
      let fields = line.split(separator: 0x20)
      // Number, parent, device, root, mount point, options, any number of optional fields, a hyphen, the
      // type.
      guard fields.count > 6, let number = Self.number(fields[0]),
        let hyphen = fields[6...].firstIndex(where: { $0.elementsEqual([0x2D]) }),
        hyphen + 1 < fields.count
      else { continue }
      let type = String(decoding: fields[hyphen + 1], as: UTF8.self)
      if Self.answersAtOnce(type, device: fields[2]) { prompt.insert(number) }
    }
  }

  /// Whether the size of a file there can be read without waiting for another machine or program; false for
  /// a mount that is not in the table.
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

import JobWire
import LinuxSystem

/// The words that this process was started with, as others see them in `ps` (proc_pid_cmdline(5)).
enum OwnArguments {
  /// Overwrites all but the first arguments, because they may contain a secret.
  ///
  /// They were visible in the milliseconds before, but are not later.
  static func wipe(keeping count: Int) {
    guard let range else { return }
    let memory = unsafe UnsafeMutableRawBufferPointer(
      start: UnsafeMutableRawPointer(bitPattern: range.lowerBound), count: range.count)
    var seen = 0
    for index in memory.indices {
      if seen >= count {
        unsafe memory[index] = 0
      } else if unsafe memory[index] == 0 {
        seen += 1
      }
    }
  }

  /// Wipes the names and passwords in addresses.
  static func wipeLogins() {
    guard let range else { return }
    let memory = unsafe UnsafeMutableRawBufferPointer(
      start: UnsafeMutableRawPointer(bitPattern: range.lowerBound), count: range.count)
    for login in AddressLogin.ranges(in: unsafe Array(memory)[...]) {
      for index in login { unsafe memory[index] = UInt8(ascii: "*") }
    }
  }

  /// Where the kernel takes them from: fields 48 and 49 of proc_pid_stat(5).
  private static var range: Range<UInt>? {
    guard let bytes = try? File.readAll("/proc/self/stat", limit: 4096),
      let name = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[name...].split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    // The name is field 2, and the first one here.
    guard fields.count > 47, let start = UInt(fields[46]), let end = UInt(fields[47]), start > 0,
      start < end
    else { return nil }
    return start..<end
  }
}

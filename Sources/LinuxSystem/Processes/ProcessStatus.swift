internal import CLinux

/// One line of `/proc/PID/stat` (proc_pid_stat(5)).
package struct ProcessStatus: Hashable, Sendable {
  package var pid: Int32
  /// The program's name, cut to 15 bytes (proc_pid_comm(5)).
  package var name: String
  /// `R`, `S`, `D`, `T`, `Z` …, as in proc_pid_stat(5).
  package var state: UInt8
  package var parent: Int32
  package var group: Int32
  package var session: Int32
  /// Clock ticks after boot.
  package var startTime: UInt64

  /// Whether this user has a process of this number, possibly a zombie.
  package static func exists(_ pid: Int32) -> Bool { clinux_kill(pid, 0) == 0 }

  /// Whether the process exists and this user may not signal it.
  package static func isOutOfReach(_ pid: Int32) -> Bool {
    clinux_kill(pid, 0) == -SystemError.notPermitted
  }

  /// Reads it now; nil when no process has this number.
  package init?(pid: Int32) {
    guard pid > 0, let line = try? File.readAll("/proc/\(pid)/stat", limit: 8192) else {
      return nil
    }
    self.init(line: line)
  }

  /// Parses a line; nil when it is malformed.
  package init?(line: [UInt8]) {
    // The second field is the program's name in parentheses and may hold blanks and parentheses.
    guard let close = line.lastIndex(of: 0x29), let blank = line.firstIndex(of: 0x20),
      let pid = Self.number(line[..<blank])
    else { return nil }
    guard line.index(after: blank) < close else { return nil }
    name = String(decoding: line[(blank + 2)..<close], as: UTF8.self)
    let fields = line[(close + 1)...].split(separator: 0x20, maxSplits: 20)
    guard fields.count >= 20, let state = fields[0].first,
      let parent = Self.number(fields[1]), let group = Self.number(fields[2]),
      let session = Self.number(fields[3]), let start = Self.number(fields[19])
    else { return nil }
    self.pid = Int32(truncatingIfNeeded: pid)
    self.state = state
    self.parent = Int32(truncatingIfNeeded: parent)
    self.group = Int32(truncatingIfNeeded: group)
    self.session = Int32(truncatingIfNeeded: session)
    startTime = UInt64(bitPattern: start)
  }

  /// Whether it has ended and waits to be reaped.
  package var isZombie: Bool { state == 0x5A || state == 0x58 || state == 0x78 }

  /// Whether it leads a session.
  package var leadsSession: Bool { session == pid }

  /// Whether a signal or a debugger has stopped it.
  package var isStopped: Bool { state == 0x54 || state == 0x74 }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    Int64(String(decoding: digits, as: UTF8.self))
  }
}

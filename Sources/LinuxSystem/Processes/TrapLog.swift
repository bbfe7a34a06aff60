internal import CLinux

/// Records what a process was working on when it trapped, for the next process.
///
/// Only a trap writes a line to the file; a kill writes nothing. Only one log per process records traps.
package struct TrapLog: ~Copyable {
  private let file: FileDescriptor
  /// Traps of earlier processes by the name of the work.
  private var traps: [String: Int]

  /// In bytes; a file of trap lines alone never grows this large.
  private static let limit = 64 * 1024

  package init(_ path: String) throws(SystemError) {
    let file = try File.open(path, [.read, .write, .append, .create, .noFollow])
    let bytes = try file.read(at: 0, maximum: Self.limit)
    if bytes.count == Self.limit { try file.resize(to: 0) }
    var traps: [String: Int] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      traps[String(decoding: line, as: UTF8.self), default: 0] += 1
    }
    try SystemError.check(clinux_tell_traps(file.number), "watch for traps")
    self.file = file
    self.traps = traps
  }

  package func traps(at name: String) -> Int { traps[name] ?? 0 }

  /// Resets the count of `name`.
  package mutating func forget(_ name: String) {
    traps[name] = nil
    let lines = traps.flatMap { name, count in Array(repeating: "\(name)\n", count: count) }
    // On failure the count stays a little too high.
    try? file.resize(to: 0)
    try? file.writeAll(Array(lines.joined().utf8))
  }

  /// Does the work of this name, one line of at most 200 bytes.
  package static func during<Result, Problem: Error>(
    _ name: String, _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    var line = Array(name.utf8) + [UInt8(ascii: "\n")]
    unsafe line.withUnsafeMutableBytes { bytes in
      unsafe clinux_set_suspect(bytes.baseAddress, bytes.count)
    }
    defer { clinux_set_suspect(nil, 0) }
    return try body()
  }
}

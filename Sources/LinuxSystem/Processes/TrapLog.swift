internal import CLinux

/// What this process was dealing with when it trapped, for the next one.
///
/// A line of a file that only a trap writes; being killed is none.
/// Only one of a process tells its traps.
package struct TrapLog: ~Copyable {
  private let file: FileDescriptor
  /// How often earlier processes trapped, by what they dealt with.
  private var traps: [String: Int]

  /// Larger than a file that traps alone have written, in bytes.
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

  /// Begins anew to count those at `name`.
  package mutating func forget(_ name: String) {
    traps[name] = nil
    let lines = traps.flatMap { name, count in Array(repeating: "\(name)\n", count: count) }
    // What stays is counted a little too often.
    try? file.resize(to: 0)
    try? file.writeAll(Array(lines.joined().utf8))
  }

  /// Deals with what has this name, one line of at most 200 bytes.
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

import Foundation
import LinuxSystem
import TestKit

/// From before the submitter's start to the worker's first instruction.
enum StartRows {
  private static let each = 20

  static func measure(rounds: Int) throws -> [Row] {
    let contest = try Contest(rounds: rounds)
    let stamp = try BuiltProducts.path("jobrun-bench-stamp")
    let file = contest.bench.sandbox.path("stamps")
    guard unsafe mkfifo(file, 0o600) == 0 else { throw Fault("no FIFO at \(file)") }
    // Open for both, so that neither end ever waits for the other.
    let fifo = try File.open(file, [.read, .write])
    let number = fifo.number
    var turns = Alternation()
    contest.add(to: &turns) { peer in
      let command = peer.submit([stamp, file])
      var samples: [Double] = []
      for _ in 0..<each {
        let start = AwakeClock.now()
        try peer.bench.run(command)
        samples.append(Double(try stamped(number) - start) / 1e6)
      }
      return Series(samples).median
    }
    let series = try turns.run(rounds: rounds)
    try contest.end()
    _ = consume fifo
    return contest.rows(
      "submit → worker's first instruction", .milliseconds, series, inMemory: .ratioAtMost(1.2),
      onDisk: .ratioAtMost(1.2))
  }

  /// The next instant that a worker wrote.
  private static func stamped(_ fifo: Int32) throws -> UInt64 {
    guard try Poll.wait(fifo, until: AwakeClock.now() + 30_000_000_000) else {
      throw Fault("a worker did not start")
    }
    var buffer = [UInt8](repeating: 0, count: 32)
    let length = unsafe read(fifo, &buffer, buffer.count)
    let digits = String(decoding: buffer.prefix(max(0, length)), as: UTF8.self).split(
      separator: "\n")
    guard let instant = digits.first.flatMap({ UInt64($0) }) else { throw Fault("no stamp came") }
    return instant
  }
}

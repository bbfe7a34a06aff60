import Foundation
import LinuxSystem
import TestKit

/// From before the submitter's start to the worker's first instruction.
enum StartRows {
  private static let each = 20

  static func measure(_ bench: Workbench) throws -> [Row] {
    let stamp = try BuiltProducts.path("jobrun-bench-stamp")
    let file = bench.sandbox.path("stamps")
    guard unsafe mkfifo(file, 0o600) == 0 else { throw Fault("no FIFO at \(file)") }
    // Open for both, so that neither end ever waits for the other.
    let fifo = try File.open(file, [.read, .write])
    let submit = try bench.jobrun("run", "--detach", "--", stamp, file)
    let peers = Peers(bench)
    var alternation = Alternation()
    alternation.add("jobrun") {
      let figure = try median(bench, submit, fifo.number)
      try SubmitRows.drain(bench)
      return figure
    }
    for peer in peers.submitters {
      alternation.add(peer.name) {
        let figure = try median(bench, peer.submit([stamp, file]), fifo.number)
        try peer.drain()
        return figure
      }
    }
    let series = try alternation.run(rounds: bench.rounds)
    try bench.stopRunner()
    return peers.submitters.map(\.name).map { peer in
      Row(
        name: "submit → worker's first instruction", unit: .milliseconds,
        ours: series["jobrun"] ?? Series(),
        reference: series[peer].map { Row.Reference(name: peer, series: $0) },
        budget: peer == "tsp" ? .ratioAtMost(2) : .none)
    }
  }

  private static func median(
    _ bench: Workbench, _ arguments: [String], _ fifo: Int32
  ) throws -> Double {
    var samples: [Double] = []
    for _ in 0..<each {
      let start = AwakeClock.now()
      try bench.run(arguments)
      samples.append(Double(try stamped(fifo) - start) / 1e6)
    }
    return Series(samples).median
  }

  /// The next instant that a worker wrote.
  private static func stamped(_ fifo: Int32) throws -> UInt64 {
    var buffer = [UInt8](repeating: 0, count: 32)
    let length = unsafe read(fifo, &buffer, buffer.count)
    let digits = String(decoding: buffer.prefix(max(0, length)), as: UTF8.self).split(
      separator: "\n")
    guard let instant = digits.first.flatMap({ UInt64($0) }) else { throw Fault("no stamp came") }
    return instant
  }
}

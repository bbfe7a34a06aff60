import Foundation
import JobCore
import JobPage
import JobWire
import LinuxSystem
import Synchronization

/// Readers of the feed that take everything as it comes.
enum Readers {
  /// Reads for this long; returns the number of bytes.
  @discardableResult
  static func read(_ readers: [Channel], nanoseconds: UInt64) throws -> Int {
    var loop = try EventLoop()
    for (index, reader) in readers.enumerated() {
      try loop.add(reader.number, .readable, token: UInt64(index))
    }
    let deadline = AwakeClock.now() + nanoseconds
    var bytes = 0
    while AwakeClock.now() < deadline {
      for ready in try loop.wait(until: deadline) { bytes += try readers[Int(ready.token)].drain() }
    }
    return bytes
  }
}

/// A thread that reports for many jobs as fast as it can.
final class Reporters: Sendable {
  private final class Page: Sendable {
    let writer: PageWriter

    init(_ writer: consuming PageWriter) {
      self.writer = writer
    }
  }

  private let isStopped = Atomic<Bool>(false)

  init(_ jobs: [JobNumber], _ bench: Workbench) throws {
    let pages = try jobs.map { Page(try LatencyRows.writer(of: $0, bench)) }
    for page in pages { page.writer.setTotal(1 << 40) }
    let thread = Thread { [self] in
      while !isStopped.load(ordering: .relaxed) {
        for page in pages { page.writer.advance(by: 1) }
      }
    }
    thread.start()
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }
}

/// The content of a list of all jobs.
struct Listing {
  var succeeded = 0

  /// Counts the ended jobs.
  static func ended(_ channel: Channel) throws -> Listing {
    try channel.send(.list(all: true))
    var listing = Listing()
    while true {
      for case .reply(let reply) in try channel.lines() {
        switch reply {
        case .job(_, let job): if job.outcome == .succeeded { listing.succeeded += 1 }
        case .ok(_, .count): return listing
        case .error(_, let error): throw error
        case .ok: continue
        }
      }
    }
  }
}

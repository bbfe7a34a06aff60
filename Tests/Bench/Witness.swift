import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import Synchronization

/// A reader of the feed that notes everything while others keep the runner busy.
final class Witness {
  private let channel: Channel
  private let notes: Notes
  private let isOver = DispatchSemaphore(value: 0)

  /// The bytes read by its thread; parsed only at the end, so that reading is cheap.
  private final class Notes: Sendable {
    let bytes = Mutex<[UInt8]>([])
  }

  /// Subscribes, and waits for the runner's confirmation.
  init(_ bench: Workbench) throws {
    channel = try bench.channelToRunner()
    notes = Notes()
    try channel.send(.feed(since: nil, progressHertz: 0))
    _ = try channel.lines()
    let (number, notes, isOver) = (channel.number, notes, isOver)
    Thread {
      var buffer = [UInt8](repeating: 0, count: 256 * 1024)
      while (try? Poll.wait(number, .readable, until: nil)) == true {
        let count = unsafe read(number, &buffer, buffer.count)
        guard count > 0 else { break }
        notes.bytes.withLock { $0 += buffer.prefix(count) }
      }
      isOver.signal()
    }.start()
  }

  /// Disconnects, reads the rest, and returns the result.
  func testimony() throws -> Testimony {
    shutdown(channel.number, Int32(SHUT_WR))
    isOver.wait()
    var splitter = LineSplitter()
    splitter.append(notes.bytes.withLock { $0 })
    var testimony = Testimony()
    while let element = splitter.next() {
      guard case .line(let line) = element else { throw Fault("a line that is too long") }
      guard case .feed(let feed) = try RunnerLine(line: line) else { continue }
      testimony.take(feed)
    }
    return testimony
  }
}

/// A feed reader's statement about the order of events.
struct Testimony {
  /// Jobs that were launched before one with a smaller number: the one accepted earlier, as numbers
  /// are given with acceptance.
  private(set) var overtakings = 0

  private var lastSequence: UInt64?
  private var lost: UInt64 = 0
  private var waiting: Set<JobNumber> = []
  private var seen: [JobNumber: [Announcement.Kind]] = [:]

  /// The events of every successful job, in this order.
  private static let life: [Announcement.Kind] = [.submitted, .launched, .started, .ended]

  /// The number of missing events, in the sequence or in the lives of this many jobs.
  func missing(jobs: Int) -> Int {
    let told = seen.values.reduce(0) { sum, kinds in
      sum + Self.life.filter { kinds.contains($0) }.count
    }
    return max(Int(lost), jobs * Self.life.count - told)
  }

  mutating func take(_ line: FeedLine) {
    switch line {
    case .event(let sequence, _, let kind, let job):
      if let lastSequence { lost += sequence - min(sequence, lastSequence + 1) }
      lastSequence = sequence
      note(kind, of: job.number)
    case .gap(let from, let to): lost += to - from + 1
    case .snapshot, .progress, .brief, .dropped: return
    }
  }

  private mutating func note(_ kind: Announcement.Kind, of number: JobNumber) {
    seen[number, default: []].append(kind)
    switch kind {
    case .submitted: waiting.insert(number)
    case .launched:
      waiting.remove(number)
      if let first = waiting.min(), first < number { overtakings += 1 }
    default: return
    }
  }
}

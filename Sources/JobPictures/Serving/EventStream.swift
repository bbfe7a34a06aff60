internal import JobClient
internal import JobCore
internal import JobWire
internal import LinuxSystem

/// The feed of the runner on its way to one page, as server-sent events (HTML standard, 9.2).
///
/// Output that a page has not read is kept up to a limit; then reading from the runner stops, which treats this
/// reader as a slow one.
final class EventStream {
  private let feed: UnixConnection
  private var splitter = LineSplitter()
  private var pending: [UInt8] = []
  /// How much of `pending` has gone.
  private var taken = 0
  private(set) var isOver = false
  /// Whether the loop watches the runner's connection.
  var isHeard = true
  /// Whether the page waits for more.
  var isSuspended = false

  /// In bytes: past the first the runner is not read, and below the second again.
  private static let most = 256 << 10
  private static let little = 64 << 10

  /// `since`: the newest event that the page has; nil without any.
  init(_ link: RunnerLink, since: UInt64?) throws(WireError) {
    guard case .status(let status) = try link.ask(.status),
      let feed = RunnerStart.connect(link.paths)
    else { throw WireError(.unavailable, "the runner does not answer") }
    var request: [UInt8] = []
    RequestLine(id: 1, .feed(since: since, progressHertz: 10, brief: true)).append(to: &request)
    try WireError.from(.unavailable) { () throws(SystemError) in try feed.sendAll(request) }
    self.feed = feed
    // A page whose feed has ended asks again soon: a runner that was killed is back by then.
    pending += "retry: 300\n\n".utf8
    guard since == nil else { return }
    // Events from here on may be in the snapshots, too, which does no harm.
    pending += "id: \(status.sequence)\nevent: fresh\ndata: {}\n\n".utf8
  }

  var number: Int32 { feed.number }
  /// Whether to read from the runner.
  var hasRoom: Bool { pending.count - taken < Self.most }
  var isNearlyEmpty: Bool { pending.count - taken < Self.little }
  var isEmpty: Bool { taken == pending.count }

  /// Reads the runner's output.
  func read() {
    var bytes: [UInt8] = []
    switch (try? feed.receive(into: &bytes).reading) ?? .end {
    case .bytes: splitter.append(bytes)
    case .wouldBlock: return
    case .end: return end()
    }
    var sequence: ArraySlice<UInt8>?
    var isAny = false
    while let element = splitter.next() {
      guard case .line(let line) = element else { return end() }
      // A page does not need the answer to the request itself; an error ends the stream.
      if line.starts(with: Self.reply) { continue }
      if line.starts(with: Self.sequenced) {
        sequence = line.dropFirst(Self.sequenced.count).prefix { $0 >= 0x30 && $0 <= 0x39 }
      }
      isAny = true
      pending += "data: ".utf8
      pending += line
      pending.append(UInt8(ascii: "\n"))
    }
    guard isAny else { return }
    // All that came together is one event: pages draw it once.
    if let sequence {
      pending += "id: ".utf8
      pending += sequence
      pending.append(UInt8(ascii: "\n"))
    }
    pending.append(UInt8(ascii: "\n"))
  }

  /// Says from time to time that it is there, because otherwise a closed page would not be noticed, nor by the
  /// page a line that is cut.
  func beat() {
    if isEmpty { pending += "event: beat\ndata:\n\n".utf8 }
  }

  func end() { isOver = true }

  /// The next bytes, up to a limit.
  func take(_ most: Int) -> ArraySlice<UInt8> {
    let bytes = pending[taken...].prefix(most)
    taken += bytes.count
    if taken == pending.count {
      pending.removeAll(keepingCapacity: pending.capacity < Self.most)
      taken = 0
    } else if taken > Self.most {
      pending.removeSubrange(..<taken)
      taken = 0
    }
    return Array(bytes)[...]
  }

  private static let reply = Array("{\"id\":".utf8)
  private static let sequenced = Array("{\"seq\":".utf8)
}

import JobCore
package import JobWire
package import LinuxSystem

/// One connection to the runner: requests out, lines in.
///
/// A lost connection is an ordinary result here (nil, or `lost`): its meaning is up to the caller.
package final class RunnerClient {
  /// The result of one receive.
  package enum Arrival {
    case lines([RunnerLine])
    case lost
  }

  private let connection: UnixConnection
  private var splitter = LineSplitter()
  private var lastIdentifier: UInt64 = 0

  package init(_ connection: consuming UnixConnection) {
    self.connection = connection
  }

  /// For a poll.
  package var number: Int32 { connection.number }

  /// Sends a request with up to two descriptors; returns its number, or nil when the connection is lost.
  package func send(
    _ request: Request, passing descriptor: Int32? = nil, and second: Int32? = nil
  ) throws(WireError) -> UInt64? {
    lastIdentifier += 1
    var bytes: [UInt8] = []
    RequestLine(id: lastIdentifier, request).append(to: &bytes)
    guard bytes.count <= Limits.lineBytes else {
      throw WireError(.usage, "the request has \(bytes.count) bytes and is too long to be sent")
    }
    do throws(SystemError) {
      try connection.sendAll(bytes, passing: descriptor, and: second)
      return lastIdentifier
    } catch {
      return nil
    }
  }

  /// Takes the available lines without waiting.
  package func receive() throws(WireError) -> Arrival {
    guard takeBytes() else { return .lost }
    var lines: [RunnerLine] = []
    while let line = try nextLine() { lines.append(try RunnerLine(line: line)) }
    return .lines(lines)
  }

  /// Takes what has arrived; false once the connection is lost.
  private func takeBytes() -> Bool {
    var bytes: [UInt8] = []
    let reading = try? connection.receive(into: &bytes).reading
    guard let reading, reading != .end else { return false }
    splitter.append(bytes)
    return true
  }

  /// The next line that has arrived whole.
  private func nextLine() throws(WireError) -> ArraySlice<UInt8>? {
    switch splitter.next() {
    case .line(let line): return line
    case .tooLong: throw WireError(.internal, "the runner sent a line that is too long")
    case nil: return nil
    }
  }

  /// Throws the error that the runner sent before it closed the connection, if any.
  private func throwLastWords() throws(WireError) {
    guard case .lines(let lines) = try receive() else { return }
    for case .reply(.error(id: nil, let error)) in lines { throw error }
  }

  /// Asks and waits for the answer; nil when the connection was lost before it.
  ///
  /// `goesOn` gets the jobs of a list as they arrive; when it returns false, the rest is skipped, and the
  /// answer is `empty`.
  package func ask(
    _ request: Request, passing descriptor: Int32? = nil, and second: Int32? = nil,
    until deadline: UInt64? = nil, goesOn: (JobStatus) -> Bool = { _ in true }
  ) throws(WireError) -> Response? {
    guard let identifier = try send(request, passing: descriptor, and: second) else {
      try throwLastWords()
      return nil
    }
    while true {
      let isThere = try WireError.from(.internal) { () throws(SystemError) in
        try Poll.wait(number, .readable, until: deadline)
      }
      guard isThere else {
        throw WireError(.unavailable, "the runner does not answer; it may have been stopped")
      }
      guard takeBytes() else { return nil }
      if let response = try answer(to: identifier, goesOn) { return response }
    }
  }

  /// The answer among the lines that have arrived, of which the rest is dropped.
  private func answer(
    to identifier: UInt64, _ goesOn: (JobStatus) -> Bool
  ) throws(WireError) -> Response? {
    var response: Response?
    while let line = try nextLine() {
      guard response == nil else { continue }
      let other = try RunnerLine.read(line, list: identifier) { job in
        if !goesOn(job) { response = .empty }
      }
      guard case .reply(let reply)? = other else { continue }
      switch reply {
      case .ok(identifier, let answer): response = answer
      case .error(let id, let error) where id == nil || id == identifier: throw error
      case .ok, .job, .error: continue
      }
    }
    return response
  }
}

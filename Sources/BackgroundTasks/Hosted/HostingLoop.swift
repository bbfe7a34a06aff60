internal import JobClient
internal import JobWire

/// Exchanges messages between the hosting thread and the runner.
final class HostingLoop: RunnerAudience {
  private let hosting: Hosting
  /// Requests without an answer, by their numbers.
  private var asked: [UInt64: Request] = [:]

  init(_ hosting: Hosting) { self.hosting = hosting }

  func endIfIdle() -> Bool { hosting.endIfIdle() }

  func makeLink() throws(WireError) -> RunnerLink {
    try Surroundings(environment: JobWire.Environment(hosting.environment)).hostLink()
  }

  func greet(on link: RunnerLink) throws(WireError) {
    asked = [:]
    try send(hosting.introduction(), on: link)
  }

  func speak(on link: RunnerLink) throws(WireError) {
    try send(hosting.removeOutgoing(), on: link)
  }

  private func send(_ requests: [Request], on link: RunnerLink) throws(WireError) {
    for request in requests {
      // Lost: all requests are repeated on the next connection.
      guard let id = try link.send(request) else { return }
      asked[id] = request
    }
  }

  func receive(_ line: RunnerLine) throws(WireError) {
    switch line {
    case .host(let line): hosting.receive(line)
    case .reply(.ok(let id, _)):
      if let request = asked.removeValue(forKey: id) { hosting.heard(request) }
    case .reply(.error(let id, let error)):
      guard let request = id.flatMap({ asked.removeValue(forKey: $0) }) else { throw error }
      if case .host = request { throw error }
      // A message that the runner refuses must not be repeated.
      hosting.heard(request)
      StandardError.say(error.message)
    case .reply(.job), .feed: break
    }
  }
}

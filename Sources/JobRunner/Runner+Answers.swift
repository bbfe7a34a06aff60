import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// The answer to a request.
  enum Answered {
    case success(Response)
    case failure(WireError)
  }

  /// Turns the core's reply into the line that its origin waits for.
  func respond(to answer: Turn.Answer) {
    if let host = answer.host.flatMap({ hosted.hosts[$0.mark] }) {
      hosted.hosts.dismissIfIdle(host)
    }
    local.dropInput(under: answer.tag)
    nextRuns.answered(answer.tag, answer.reply)
    if let line = pushes.answered(answer) { server.feed.tell(line) }
    switch answer.reply {
    case .failure(let error): respond(to: answer.tag, .failure(error))
    case .success(let reply):
      switch reply {
      case .cancelledAll(let numbers), .changedAll(let numbers): list(numbers, to: answer.tag)
      default: respond(to: answer.tag, meaning(of: reply, answer.object))
      }
    }
  }

  /// Answers the request behind `tag`, if the client is still connected.
  func respond(to tag: RequestTag, _ answered: Answered) {
    guard let (client, origin) = server.connections.completePending(under: tag) else { return }
    switch answered {
    case .success(let response): send(.ok(id: origin.id, response), to: client)
    case .failure(let error): send(.error(id: origin.id, error), to: client)
    }
  }

  /// Answers with these jobs, live or ended, as fast as the client reads them.
  private func list(_ numbers: [JobNumber], to tag: RequestTag) {
    guard let (client, origin) = server.connections.completePending(under: tag) else { return }
    guard !origin.isCounted else {
      return send(.ok(id: origin.id, .count(numbers.count)), to: client)
    }
    client.listings.append(Client.Listing(id: origin.id, named: numbers.reversed()))
  }

  private func meaning(of reply: Reply, _ object: JobStatus?) -> Answered {
    if case .acceptedMany(let first, let count) = reply {
      return .success(.submittedMany(first: first, count: count, duplicate: false))
    }
    if case .duplicateMany(let first, let count) = reply {
      return .success(.submittedMany(first: first, count: count, duplicate: true))
    }
    if case .refused(let refusal) = reply { return .failure(WireError(refusal)) }
    guard let number = reply.number else {
      return .failure(WireError(.internal, "the runner has no answer"))
    }
    guard let object = object ?? lookup.stored(number) else {
      return .failure(lookup.unknown(number))
    }
    return meaning(of: reply, about: object)
  }

  private func meaning(of reply: Reply, about object: JobStatus) -> Answered {
    switch reply {
    case .accepted: .success(.submitted(object, kept: false, duplicate: false))
    case .duplicate: .success(.submitted(object, kept: false, duplicate: true))
    case .kept: .success(.submitted(object, kept: true, duplicate: false))
    case .done: .success(.job(object, message: nil))
    case .cancelledAll(let numbers), .changedAll(let numbers): .success(.count(numbers.count))
    case .cannotPause(_, let why): .failure(WireError(.notFound, why))
    case .notPaused:
      .failure(WireError(.notFound, "job \(object.number) is not paused"))
    case .alreadyStopping:
      .success(.job(object, message: "job \(object.number) is already stopping"))
    case .notLive where runtime.hasUnstoredEnd(object.number):
      .failure(
        WireError(
          .notFound,
          "job \(object.number) has ended, and that cannot be stored yet: \(runtime.trouble);"
            + " jobrun forget \(object.number) removes its log"))
    case .notLive: .failure(JobLookup.ended(object))
    case .noPrompt:
      .failure(WireError(.notFound, "job \(object.number) has no question to answer"))
    case .refused(let refusal): .failure(WireError(refusal))
    case .acceptedMany, .duplicateMany:
      .failure(WireError(.internal, "the answer is for many jobs, not for one"))
    }
  }

  /// Appends a reply to the client's output.
  func send(_ line: ReplyLine, to client: Client) { server.connections.send(line, to: client) }
}

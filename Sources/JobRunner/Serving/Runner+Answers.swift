import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// What a request is answered with.
  enum Answered {
    case success(Response)
    case failure(WireError)
  }

  /// Turns the core's reply into the line that its asker waits for.
  func respond(to answer: Turn.Answer) {
    if let host = answer.host.flatMap({ hosts[$0.mark] }) { hosts.dismissIfIdle(host) }
    let left = luggage.removeValue(forKey: answer.tag)
    switch answer.reply {
    case .failure(let error): respond(to: answer.tag, .failure(error))
    case .success(let reply):
      if let number = left?.successorOf { successorAnswered(of: number, reply) }
      if case .cancelledAll(let numbers) = reply { return list(numbers, to: answer.tag) }
      respond(to: answer.tag, meaning(of: reply, answer.object))
    }
  }

  /// Answers the request behind `tag`; a client that has gone is owed nothing.
  func respond(to tag: RequestTag, _ answered: Answered) {
    guard let (client, id) = connections.settleDebt(under: tag) else { return }
    switch answered {
    case .success(let response): send(.ok(id: id, response), to: client)
    case .failure(let error): send(.error(id: id, error), to: client)
    }
  }

  /// Answers with these jobs, live or ended, as fast as they are read.
  private func list(_ numbers: [JobNumber], to tag: RequestTag) {
    guard let (client, id) = connections.settleDebt(under: tag) else { return }
    client.listings.append(Client.Listing(id: id, named: numbers.reversed()))
  }

  private func meaning(of reply: Reply, _ object: JobStatus?) -> Answered {
    if case .refused(let refusal) = reply { return .failure(WireError(refusal)) }
    guard let number = reply.number else {
      return .failure(WireError(.internal, "the runner has no answer"))
    }
    guard let object = object ?? stored(number) else {
      return .failure(unknown(number))
    }
    return meaning(of: reply, about: object)
  }

  private func meaning(of reply: Reply, about object: JobStatus) -> Answered {
    switch reply {
    case .accepted: .success(.submitted(object, kept: false, duplicate: false))
    case .duplicate: .success(.submitted(object, kept: false, duplicate: true))
    case .kept: .success(.submitted(object, kept: true, duplicate: false))
    case .done: .success(.job(object, message: nil))
    case .cancelledAll(let numbers): .success(.count(numbers.count))
    case .alreadyStopping:
      .success(.job(object, message: "job \(object.number) is stopping already"))
    case .notLive: .failure(Self.ended(object))
    case .noPrompt:
      .failure(WireError(.notFound, "job \(object.number) has no question to answer"))
    case .refused(let refusal): .failure(WireError(refusal))
    }
  }

  /// Appends a reply to what the client is owed.
  func send(_ line: ReplyLine, to client: Client) { connections.send(line, to: client) }

  /// The job that a person means, live or ended.
  func find(_ reference: JobReference) throws(WireError) -> JobStatus {
    switch reference {
    case .number(let number):
      guard let object = freshObject(of: number) ?? stored(number) else {
        throw unknown(number)
      }
      return object
    case .identifier(let identifier):
      if let number = core.number(of: identifier), let object = freshObject(of: number) {
        return object
      }
      guard let row = (try? store.latestJob(identifier)) ?? nil else {
        throw WireError(.notFound, "no job has the identifier \(identifier)")
      }
      return row.object(places: home.places)
    case .latest(let back):
      guard let number = (try? store.latestNumber(before: back)) ?? nil,
        let object = freshObject(of: number) ?? stored(number)
      else {
        throw WireError(
          .notFound, back == 0 ? "there is no job yet" : "there are fewer than \(back + 1) jobs")
      }
      return object
    }
  }

  /// The number of the live job that a person means.
  func live(_ reference: JobReference) throws(WireError) -> JobNumber {
    let object = try find(reference)
    guard object.state != .ended else { throw Self.ended(object) }
    return object.number
  }

  /// An ended job, from the store; nil for one that never was or cannot be read.
  func stored(_ number: JobNumber) -> JobStatus? {
    ((try? store.job(number)) ?? nil)?.object(places: home.places)
  }

  /// Says as well whether there ever was one with this number.
  func unknown(_ number: JobNumber) -> WireError {
    let sentence = "there is no job \(number)"
    guard let next = try? store.nextNumber() else { return WireError(.notFound, sentence) }
    if number < next { return WireError(.notFound, sentence + " any more") }
    let known =
      next.value > 1 ? "the highest number so far is \(next.value - 1)" : "there has been none yet"
    return WireError(.notFound, "\(sentence): \(known)")
  }

  static func ended(_ object: JobStatus) -> WireError {
    let how = object.outcome.map { " (\($0.rawValue))" } ?? ""
    return WireError(.notFound, "job \(object.number) has ended already\(how)")
  }
}

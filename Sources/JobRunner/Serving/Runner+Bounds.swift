import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// What one connection may have waiting, in and out: past it, it has to wait itself.
extension Runner {
  /// Takes the lines that a client has sent, as long as it takes the answers.
  func takeLines(of client: Client) {
    while clients[client.number] != nil, !owesTooMuch(to: client), let arrival = client.next() {
      take(arrival, from: client)
    }
    guard clients[client.number] != nil else { return }
    hold(client, owesTooMuch(to: client))
    boundEnclosures(of: client)
  }

  /// Whether no more of its requests are read for now.
  private func owesTooMuch(to client: Client) -> Bool {
    client.output.count >= answerRoom || client.unanswered >= Limits.requestsAtOnce
      || client.listings.count >= Limits.listsAtOnce
  }

  private func hold(_ client: Client, _ isHeld: Bool) {
    guard client.isHeld != isHeld else { return }
    client.isHeld = isHeld
    do throws(SystemError) {
      try watch(client)
    } catch {
      drop(client)
    }
  }

  /// Only the last descriptor can belong to a line that is not complete; and what waits so on all
  /// connections has a bound.
  private func boundEnclosures(of client: Client) {
    guard !client.isHeld, !client.enclosures.isEmpty else { return }
    client.enclosures.removeFirst(client.enclosures.count - 1)
    let waiting = clients.values.reduce(0) { sum, client in
      sum + client.enclosures.reduce(0) { $0 + $1.content.count }
    }
    guard waiting > Limits.enclosedBytes else { return }
    note("a connection was closed: \(waiting) bytes came beside lines that are not complete")
    drop(client)
  }

  /// Unsent answers that a client may have before it has to take some.
  var answerRoom: Int { room(atMost: Limits.answerBytes) }

  /// Unsent lines of the feed that a client may have.
  var subscriberRoom: Int { room(atMost: Limits.subscriberBufferBytes) }

  /// All clients share what there is.
  private func room(atMost most: Int) -> Int {
    max(Limits.unsentBytesLeast, min(most, Limits.unsentBytes / max(1, clients.count)))
  }

  /// The answer to this request comes later.
  func owe(_ asker: Asker) { clients[asker.client]?.unanswered += 1 }

  /// It comes now.
  func settleDebt(to asker: Asker) -> Client? {
    guard let client = clients[asker.client] else { return nil }
    client.unanswered -= 1
    markDirty(client)
    return client
  }

  /// Bytes of submissions that are not decided yet.
  var submittedBytes: Int { runtime.drafts.bytes }
}

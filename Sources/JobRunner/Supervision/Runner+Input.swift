import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

/// What a job is to read, as its submitter has it open.
final class PassedInput {
  let descriptor: FileDescriptor
  private let counted: OpenInputs

  /// Nil when nothing came beside the first descriptor.
  init?(from reception: inout UnixConnection.Reception, countedIn counted: OpenInputs) {
    guard let descriptor = reception.takeSecond() else { return nil }
    self.descriptor = descriptor
    self.counted = counted
    counted.count += 1
  }

  deinit { counted.count -= 1 }
}

/// How many descriptors these take, wherever they are kept.
final class OpenInputs {
  fileprivate(set) var count = 0
}

// What jobs read. A pipe can be read once, and no later runner has it: a job that would find it gone
// does not start, as it would succeed with nothing.
extension Runner {
  /// Refuses a job whose input did not come with it, or is one pipe too many.
  func check(_ input: JobInput, _ passed: PassedInput?) throws(WireError) {
    guard input == .passed else { return }
    guard passed != nil else {
      throw WireError(.badFrame, "the submission came without what the job is to read")
    }
    guard connections.count <= connectionLimit else {
      throw WireError(
        .cannotCreate,
        "the runner has \(connections.count) connections and \(connections.openInputs.count) pipes open, as many as it"
          + " may; --detach makes a copy of what is piped in")
    }
    guard inputs.count < Limits.heldInputs else {
      throw WireError(
        .tooManyPendingTaskRequests,
        "\(inputs.count) jobs wait already with a pipe to read; --detach makes a copy of what is piped"
          + " in, and any number of those may wait")
    }
  }

  /// A copy lies under the key of its submission, which nobody knows any more once the job is removed.
  func adoptInput(of number: JobNumber) {
    guard let card = cards[number], case .copied = card.details.input else { return }
    // One that stays where it is, is found there.
    try? File.rename(home.places.input(key: card.submission.key), to: home.places.input(number))
  }

  /// What the supervisor is told to give to the worker.
  func input(of card: LiveJob) throws(SupervisionError) -> LaunchOrder.Input {
    switch card.details.input {
    case .none: return .nothing
    case .file(let path): return .file(path)
    case .copied(let bytes):
      let path = home.places.input(card.number)
      let isAdopted = File.exists(path)
      return .file(isAdopted ? path : home.places.input(key: card.submission.key), bytes: bytes)
    case .passed:
      guard inputs[card.number] != nil else { throw .inputGone }
      return .passed
    }
  }

  /// Nobody will do again what has succeeded, so that nobody needs the copy.
  func forgetInput(of card: LiveJob) {
    guard case .copied = card.details.input, case .ended(.succeeded, _) = card.state else { return }
    try? File.remove(home.places.input(card.number))
  }

  /// Copies whose submitters went away before they submitted anything.
  func removeStrayInputs() {
    let keys = Set(cards.values.map(\.submission.key))
    let hour: Int64 = 3_600_000_000_000
    for name in (try? File.names(in: home.places.inputs)) ?? [] where UInt64(name) == nil {
      let path = home.places.input(key: name)
      guard !keys.contains(name), let status = (try? File.status(path)) ?? nil,
        status.modifiedNanoseconds < WallClock.now() * 1_000_000 - hour
      else { continue }
      try? File.remove(path)
    }
  }
}

internal import Dispatch
internal import JobClient
internal import JobWire
internal import LinuxSystem
internal import Synchronization

extension RunnerPlace {
  /// Listens to the runner's feed; every line in it is a reason to look at the tasks again.
  func wait(until condition: @escaping @Sendable ([BGTaskRecord]) -> Bool) async {
    guard let bell = try? Bell() else { return }
    let isCancelled = Flag()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.request.async {
          do throws(WireError) {
            try self.wait(bell, unless: isCancelled, until: condition)
          } catch {
            StandardError.say("the tasks are not waited for: \(error.message)")
          }
          continuation.resume()
        }
      }
    } onCancel: {
      isCancelled.set()
      bell.ring()
    }
  }

  private func wait(
    _ bell: Bell, unless isCancelled: Flag, until condition: ([BGTaskRecord]) -> Bool
  ) throws(WireError) {
    let bundle = try bundle()
    let asking = try link()
    let listening = try link()
    while !isCancelled.isSet {
      // Before the look, so that nothing falls between the two.
      if listening.isLost { _ = try listening.ask(.feed(since: nil, progressHertz: 0)) }
      if condition(try records(of: bundle, on: asking)) { return }
      guard let number = listening.number else { continue }
      bell.wait(beside: number)
      if try hasInput(number) { _ = try listening.receive() }
    }
  }

  private func hasInput(_ number: Int32) throws(WireError) -> Bool {
    try WireError.from(.internal) { () throws(SystemError) in
      try Poll.wait(number, .readable, until: 0)
    }
  }
}

/// Something that is said once, from any thread.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() {
    value.store(true, ordering: .releasing)
  }
}

internal import JobPage
internal import Synchronization

/// Makes the attempts of an embedded scheduler's tasks.
final class EmbeddedMaker: Sendable {
  private struct Owners: Sendable {
    weak var scheduler: BGTaskScheduler?
    weak var place: EmbeddedBackend?
  }

  let clock: any TaskClock
  let handlers: HandlerTable
  private let owners = Mutex(Owners())

  init(clock: any TaskClock, handlers: HandlerTable) {
    self.clock = clock
    self.handlers = handlers
  }

  /// Whose tasks they are; it keeps neither alive.
  func belong(to place: EmbeddedBackend, of scheduler: BGTaskScheduler) {
    owners.withLock { owners in
      owners.scheduler = scheduler
      owners.place = place
    }
  }

  /// Makes an attempt with its page and its task object, without starting it.
  func make(
    _ liveJob: EmbeddedJob, attempt: Int, gpus: [String]
  ) throws(EmbeddedError) -> EmbeddedAttempt {
    let (scheduler, place) = owners.withLock { ($0.scheduler, $0.place) }
    guard let scheduler else {
      throw EmbeddedError(sentence: "the scheduler that it was submitted to is gone")
    }
    do throws(BGTaskScheduler.Error) {
      let registration = try handlers.registration(forSubmitted: liveJob.request.identifier)
      return try EmbeddedAttempt(
        liveJob, attempt: attempt, gpus: gpus, registration, clock: clock, scheduler: scheduler
      ) { [weak place, number = liveJob.number] in
        place?.complete(number, attempt: attempt)
      }
    } catch {
      throw EmbeddedError(sentence: error.message)
    }
  }
}

/// Why an attempt cannot be made.
struct EmbeddedError: Error, Hashable, Sendable {
  var sentence: String
}

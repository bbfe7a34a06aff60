import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Launches that cannot be carried out for want of something that may be there again.
extension Runner {
  /// Why a launch failed through no fault of the job's, in words; nil when trying again is no use.
  static func transientFailure(_ error: any Error) -> String? {
    switch error {
    case let error as SystemError where error.isTransient: "\(error)"
    case JobPageError.system(let error) where error.isTransient: "\(error)"
    case DirectoryError.system(let error) where error.isTransient: "\(error)"
    case let error as StoreError: error.message
    default: nil
    }
  }

  /// Keeps a launch for later; its job says why it does not run.
  func hold(_ launch: Effect, because trouble: String) {
    guard let number = launch.number else { return }
    cards[number]?.warning = "it cannot be started yet: \(trouble)"
    note("no job can be started: \(trouble)")
    held.launches.append(launch)
    held.trouble = trouble
    held.tryAgainAt = clock() + .seconds(1)
  }

  /// Tries the launches again that were kept.
  func launchHeld() {
    let launches = held.launches
    held = HeldLaunches()
    for case .launch(let number, let attempt, let gpus) in launches {
      cards[number]?.warning = nil
      launch(number, attempt: attempt, gpus: gpus)
    }
  }

  /// Refuses what would only be kept, too, saying why.
  func checkLaunching() throws(WireError) {
    if held.trouble != nil { launchHeld() }
    if let trouble = held.trouble {
      throw WireError(.cannotCreate, "no job can be started at the moment: \(trouble)")
    }
    do throws(SystemError) {
      try File.checkWritable(home.places.runRecords)
      try File.checkWritable(home.places.logs)
    } catch {
      throw WireError(.cannotCreate, "no job can be started at the moment: \(error)")
    }
  }
}

/// Launches that are tried again.
struct HeldLaunches {
  /// Only launches.
  var launches: [Effect] = []
  /// Why they were kept; nil when none is.
  var trouble: String?
  var tryAgainAt: Instant?
}

import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Launches that cannot be carried out for want of something that may be there again.
extension LocalExecutor {
  /// Defers a launch; its job shows the reason.
  func hold(_ launch: Effect, because trouble: String) {
    guard let number = launch.number else { return }
    runtime.jobs[number]?.warning = "it cannot be started yet: \(trouble)"
    notes.add("no job can be started: \(trouble)")
    held.launches.append(launch)
    held.trouble = trouble
    held.tryAgainAt = Instant.now() + .seconds(1)
  }

  /// Tries the launches again that were kept.
  func launchHeld() {
    let launches = held.launches
    held = HeldLaunches()
    // Their jobs keep the reason until they have started.
    for case .launch(let number, let attempt, let gpus) in launches {
      launch(number, attempt: attempt, gpus: gpus)
    }
  }

  /// Drops the deferred launch of a stopped job: it never begins.
  func forgetHeldLaunch(of number: JobNumber) {
    for case .launch(number, let attempt, _) in held.launches {
      // The reason for the deferral no longer applies.
      runtime.jobs[number]?.warning = nil
      runtime.neverBegan(number, attempt: attempt)
    }
    held.launches.removeAll { $0.number == number }
    if held.launches.isEmpty { held = HeldLaunches() }
  }

  /// Refuses new jobs while launches are deferred, with the reason.
  func checkLaunching() throws(WireError) {
    if held.trouble != nil { launchHeld() }
    if let trouble = held.trouble {
      throw WireError(.cannotCreate, "no job can be started at the moment: \(trouble)")
    }
    do throws(SystemError) {
      try File.checkWritable(home.paths.runRecords)
      try File.checkWritable(home.paths.logs)
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

extension Error {
  /// The cause of a temporary failure, in words; nil when retrying is useless.
  var transientFailure: String? {
    switch self as any Error {
    case let error as SystemError where error.isTransient: "\(error)"
    case JobPageError.system(let error) where error.isTransient: "\(error)"
    case DirectoryError.system(let error) where error.isTransient: "\(error)"
    case let error as StoreError: error.message
    default: nil
    }
  }
}

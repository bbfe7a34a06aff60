import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// What other machines have, for the rules and for people.
extension EngineExecutor {
  /// Asks a machine about itself, and connects first.
  func survey(_ engine: String) {
    open(engine)
    guard let link = links[engine] else {
      return tellMachine(engine, .silent("config.json has no \(engine) any more"))
    }
    if link.isReady {
      ask(engine)
    } else if let trouble = link.trouble {
      tellMachine(engine, .silent(trouble.why))
    }
  }

  /// Its driver is left alone while no job needs a GPU.
  func ask(_ engine: String) {
    let needsGPUs = runtime.jobs.values.contains {
      $0.submission.options.engine != nil && $0.submission.options.requirements.gpuCount > 0
    }
    links[engine]?.send(.survey(gpus: needsGPUs))
  }

  func learn(_ report: ResourcesReport, of engine: String) {
    reports[engine] = report
    tellMachine(engine, .facts(report.facts))
  }

  func tellMachine(_ engine: String, _ survey: Survey) {
    runtime.inbox.append(.surveyed(engine, survey))
    answered(engine)
  }

  /// Whether its machine cannot be reached now.
  func isLost(_ remote: RemoteAttempt) -> Bool {
    links[remote.engine]?.trouble != nil
      || context.settings.current.engines[remote.engine] == nil
  }

  /// Whether another machine of its pool may begin an attempt that was not handed over.
  func mayGoElsewhere(_ remote: RemoteAttempt) -> Bool {
    guard let options = runtime.jobs[remote.name.job]?.submission.options else { return false }
    return options.strategy == .queue && runtime.scheduler.choosesMachine(for: options)
  }
}

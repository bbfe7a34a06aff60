internal import JobClient
internal import JobCore
internal import JobWire
internal import LinuxSystem
internal import Synchronization

/// The place of a process that reaches a runner: continued tasks run in the process itself, admitted,
/// watched and stopped by the runner; scheduled tasks are launched by the runner.
final class RunnerBackend: SchedulingBackend {
  let environment: [String: String]
  let handlers: HandlerTable
  let hosting: Hosting

  init(environment: [String: String], handlers: HandlerTable) {
    self.environment = environment
    self.handlers = handlers
    hosting = Hosting(environment: environment, handlers: handlers)
    // A process that was launched for a job has the handlers that its definition says, wherever it lies.
    guard environment["JOBRUN_PAGE"] == nil else { return }
    handlers.refuse { [environment] pattern in Self.obstacle(to: pattern, environment) }
  }

  /// Why a pattern is another bundle's; nil when it is this program's, or no bundle is known, which a
  /// submission reports.
  private static func obstacle(
    to pattern: IdentifierPattern, _ environment: [String: String]
  ) -> String? {
    do throws(WireError) {
      guard
        let bundle = try? HostBundle(
          environment: JobWire.Environment(environment),
          executable: try Surroundings.executable())
      else { return nil }
      try bundle.check(pattern)
      return nil
    } catch {
      return error.message
    }
  }

  func belong(to scheduler: BGTaskScheduler) {
    hosting.serve(scheduler)
  }

  func submit(_ request: RequestedTask) throws(BGTaskScheduler.Error) {
    if case .continued = request.kind {
      _ = try handlers.registration(forSubmitted: request.identifier)
    }
    do throws(WireError) {
      let bundle = try bundle()
      for problem in bundle.problems { StandardError.say(problem) }
      switch request.kind {
      case .continued(let values):
        try host(try bundle.checked(request.identifier), values, of: bundle)
      case .processing, .refresh:
        try schedule(request, of: bundle)
      }
    } catch {
      throw BGTaskScheduler.Error(error)
    }
  }

  func cancel(_ identifier: String) {
    do throws(WireError) {
      let own = try bundle().checked(identifier)
      _ = try link().ask(.withdraw(.identifier(own)))
    } catch  where error.code == .notFound {
      return  // nothing waits under that name
    } catch {
      StandardError.say("\(identifier) was not cancelled: \(error.message)")
    }
  }

  func cancelAll() {
    do throws(WireError) {
      let link = try link()
      for job in try waiting(on: link) {
        do throws(WireError) {
          _ = try link.ask(.withdraw(.number(job.number)))
        } catch  where error.code == .notFound {
          continue  // it has begun or ended meanwhile
        }
      }
    } catch {
      StandardError.say("the requests were not cancelled: \(error.message)")
    }
  }

  func stop(_ number: JobNumber) {
    do throws(WireError) {
      _ = try link().ask(.cancel(.one(.number(number)), now: false))
    } catch  where error.code == .notFound {
      return  // it has ended meanwhile
    } catch {
      StandardError.say("job \(number) was not stopped: \(error.message)")
    }
  }

  var pending: [RequestedTask] {
    do throws(WireError) {
      return try waiting(on: link()).map(RequestedTask.init)
    } catch {
      StandardError.say("the pending requests cannot be read: \(error.message)")
      return []
    }
  }

  var supportedResources: BGContinuedProcessingTaskRequest.Resources {
    do throws(WireError) {
      guard try bundle().manifest.capabilities.contains(.gpu), try settings().gpu != false,
        case .resources(let report) = try link().ask(.resources()), !report.devices.isEmpty
      else { return [] }
      return .gpu
    } catch {
      StandardError.say("the supported resources cannot be read: \(error.message)")
      return []
    }
  }

  var mayRefresh: Bool {
    do throws(WireError) {
      return try settings().background != false
    } catch {
      StandardError.say("the background settings cannot be read: \(error.message)")
      return true
    }
  }
}

extension RunnerBackend {
  /// What a person lets this program's bundle do.
  private func settings() throws(WireError) -> BundleSettings {
    let surroundings = Surroundings(environment: JobWire.Environment(environment))
    let all = try surroundings.configuration(surroundings.paths()).bundleSettings
    return all.isEmpty
      ? BundleSettings() : all[try bundle().manifest.identifier] ?? BundleSettings()
  }

  func bundle() throws(WireError) -> HostBundle {
    try HostBundle(
      environment: JobWire.Environment(environment), executable: try Surroundings.executable())
  }

  /// A connection of the caller's own: a caller that waits for an answer delays no other.
  func link() throws(WireError) -> RunnerLink {
    try Surroundings(environment: JobWire.Environment(environment)).hostLink()
  }

  /// The requests of this program's bundle that have not begun.
  private func waiting(on link: RunnerLink) throws(WireError) -> [JobStatus] {
    let bundle = try bundle()
    var jobs: [JobStatus] = []
    _ = try link.ask(.list(all: false)) { job in
      if job.state == .queued, job.terms.kind != .push, bundle.owns(job) { jobs.append(job) }
    }
    return jobs
  }
}

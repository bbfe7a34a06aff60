internal import Foundation
internal import JobClient
internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

extension RunnerBackend {
  /// Submits a task that runs in this process.
  func host(
    _ identifier: JobIdentifier, _ values: RequestedTask.Continued, of bundle: HostBundle
  ) throws(WireError) {
    guard environment["JOBRUN_PAGE"] == nil else {
      throw WireError(
        .unavailable,
        "this process was launched for one job and ends with it; submit \(identifier) from the program"
          + " that a person uses, or with jobrun submit")
    }
    let definition = bundle.definition(for: identifier)
    var request =
      definition?.submitRequest(key: FreshName.key(), identifier: identifier)
      ?? plainRequest(identifier)
    request.title = ShownText.title(values.title, else: bundle.manifest.name)
    request.subtitle = ShownText.cleaned(values.subtitle)
    request.options.strategy = values.strategy == .fail ? .fail : .queue
    if values.resources.contains(.gpu) {
      request.options.requirements.gpuCount = max(1, request.options.requirements.gpuCount)
    }
    request.options.kind = .continued
    request.bundle = bundle.manifest.identifier.text
    request.isListed = bundle.lists(identifier)
    request.host = hosting.mark
    do throws(WireError) {
      try check(request.options.requirements, of: bundle)
    } catch {
      // As on iOS, where resources that the device lacks or the app may not use are unavailable.
      throw WireError(.unavailable, error.message)
    }
    try hosting.submit(request, on: try link())
  }

  /// A request without a definition: as with an empty `job.json`.
  fileprivate func plainRequest(_ identifier: JobIdentifier) -> SubmitRequest {
    var request = SubmitRequest(
      key: FreshName.key(), identifier: identifier.text, title: "", speaksPage: true)
    request.options.silentAfter = Submission.Options.defaultSilence
    return request
  }

  fileprivate func check(
    _ requirements: Requirements, of bundle: HostBundle
  ) throws(WireError) {
    let used = Capability.used(by: requirements)
    guard let lacking = used.first(where: { !bundle.manifest.capabilities.contains($0) }) else {
      return
    }
    // The list replaces the default, so it must contain the declared ones, too.
    let all = bundle.manifest.capabilities.union([lacking]).map { "\"\($0.rawValue)\"" }.sorted()
    throw WireError(
      .notPermitted,
      "the task needs \(lacking.rawValue), and its bundle \(bundle.manifest.identifier) does not declare"
        + " that capability; write \"capabilities\": [\(all.joined(separator: ", "))] in"
        + " \(bundle.folder)/bundle.json")
  }

}

// Tasks that the runner launches when their time and conditions have come.
extension RunnerBackend {
  /// Submits one: its definition is launched, or, as an app is, this program itself.
  func schedule(_ requested: RequestedTask, of bundle: HostBundle) throws(WireError) {
    let identifier = try bundle.checked(requested.identifier)
    var request: SubmitRequest
    let arguments: [String]
    if let definition = bundle.definition(for: identifier) {
      (request, arguments) = try launch(of: definition, requested, identifier, bundle)
    } else {
      (request, arguments) = try ownLaunch(requested, identifier, bundle)
    }
    if case .processing(let network, let power, _) = requested.kind {
      request.options.requirements.network = request.options.requirements.network || network
      request.options.requirements.power = request.options.requirements.power || power
    }
    request.notBefore = requested.earliestBeginDate.map {
      WallTime(milliseconds: $0.milliseconds)
    }
    request.isListed = bundle.lists(identifier)
    try check(request.options.requirements, of: bundle)
    let specification = LaunchSpecification(
      directory: try Surroundings(environment: JobWire.Environment(environment)).directory(),
      arguments: arguments.map { Array($0.utf8) }, environment: launchEnvironment(requested))
    _ = try link().submit(request, specification)
  }

  private func launch(
    of definition: Definition, _ requested: RequestedTask, _ identifier: JobIdentifier,
    _ bundle: HostBundle
  ) throws(WireError) -> (SubmitRequest, [String]) {
    guard definition.manifest.options.kind.rawValue == requested.taskKind.rawValue else {
      throw WireError(
        .notPermitted,
        "the definition of \(identifier) in \(definition.folder) is of kind"
          + " \(definition.manifest.options.kind.rawValue), and the request of kind"
          + " \(requested.taskKind.rawValue); write \"kind\": \"\(requested.taskKind.rawValue)\"")
    }
    let own = try Surroundings.executable()
    let installation = try? Installation.near(own, environment: JobWire.Environment(environment))
    let program = try CommandSearch.executable(
      of: definition, installation: installation ?? Installation(program: own),
      environment: JobWire.Environment(environment))
    return (
      definition.submitRequest(key: FreshName.key(), identifier: identifier),
      [program] + definition.manifest.command.dropFirst()
    )
  }

  /// Launches the program itself as the worker, as iOS launches an app; its `Info.plist` must permit that.
  private func ownLaunch(
    _ requested: RequestedTask, _ identifier: JobIdentifier, _ bundle: HostBundle
  ) throws(WireError) -> (SubmitRequest, [String]) {
    let kind = requested.taskKind
    guard let app = bundle.app else {
      throw WireError(
        .notPermitted,
        "the bundle in \(bundle.folder) has no \(kind.rawValue) definition for \(identifier), which the"
          + " runner could launch; write one with \"kind\": \"\(kind.rawValue)\", or an Info.plist"
          + " beside the executable")
    }
    do throws(BGTaskScheduler.Error) {
      // The program itself is launched for the task.
      try handlers.checkHandler(forSubmitted: identifier.text)
    } catch {
      throw WireError(.notPermitted, error.message)
    }
    let mode = kind == .refresh ? "fetch" : "processing"
    guard app.modes.contains(mode) else {
      throw WireError(
        .notPermitted,
        "\(identifier) asks for a \(kind.rawValue) task, and the UIBackgroundModes of \(app.file) do"
          + " not contain \"\(mode)\"; add it there")
    }
    var request = plainRequest(identifier)
    request.title = bundle.manifest.name
    request.subtitle = identifier.lastLabel
    request.options.silentAfter = nil
    request.options.kind = kind
    request.bundle = bundle.manifest.identifier.text
    return (request, [try Surroundings.executable()])
  }

  /// This process' environment, with the class of the task where its kind does not tell it.
  private func launchEnvironment(_ requested: RequestedTask) -> [[UInt8]] {
    let kind = "\(WorkerLaunch.classVariable)=\(WorkerLaunch.healthResearch)"
    return BGTaskScheduler.launchEnvironment()
      + (requested.isHealthResearch ? [Array(kind.utf8)] : [])
  }
}

extension RequestedTask {
  /// A request as the runner shows it.
  init(_ job: JobStatus) {
    identifier = job.identifier
    earliestBeginDate = job.terms.earliest.map {
      Date(timeIntervalSince1970: Double($0.milliseconds) / 1000)
    }
    switch job.terms.kind {
    case .continued:
      kind = .continued(
        Continued(
          title: job.title, subtitle: job.subtitle, strategy: .queue,
          resources: job.terms.requires.contains { $0.hasPrefix("gpu") } ? .gpu : []))
    case .processing:
      kind = .processing(
        network: job.terms.requires.contains("network"),
        power: job.terms.requires.contains("power"),
        protection: nil)
    // Programs do not request pushes, which were excluded before.
    case .refresh, .push: kind = .refresh
    }
  }
}

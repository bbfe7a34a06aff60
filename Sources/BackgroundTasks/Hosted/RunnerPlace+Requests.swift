internal import Foundation
internal import JobClient
internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

extension RunnerPlace {
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
    request.title = values.title
    request.subtitle = values.subtitle
    request.strategy = values.strategy == .fail ? .fail : .queue
    if values.resources.contains(.gpu) {
      request.requirements.gpuCount = max(1, request.requirements.gpuCount)
    }
    request.kind = .continued
    request.bundle = bundle.manifest.identifier.text
    request.host = hosting.mark
    try check(request.requirements, of: bundle)
    try hosting.submit(request, on: try link())
  }

  /// Of a task without a definition: as a `job.json` has it that sets nothing.
  private func plainRequest(_ identifier: JobIdentifier) -> SubmitRequest {
    var request = SubmitRequest(
      key: FreshName.key(), identifier: identifier.text, title: "", speaksPage: true)
    request.silentAfter = .seconds(120)
    return request
  }

  private func check(
    _ requirements: Requirements, of bundle: HostBundle
  ) throws(WireError) {
    let used = Capability.used(by: requirements)
    guard let lacking = used.first(where: { !bundle.manifest.capabilities.contains($0) }) else {
      return
    }
    throw WireError(
      .notPermitted,
      "the task needs \(lacking.rawValue), and its bundle \(bundle.manifest.identifier) does not declare"
        + " that capability; add \"capabilities\": [\"\(lacking.rawValue)\"] to"
        + " \(bundle.folder)/bundle.json")
  }

  /// Submits a task that the runner launches when its time and conditions have come.
  func schedule(_ requested: RequestedTask, of bundle: HostBundle) throws(WireError) {
    let identifier = try bundle.checked(requested.identifier)
    guard let definition = bundle.definition(for: identifier),
      definition.manifest.kind.rawValue == requested.taskKind.rawValue
    else {
      throw WireError(
        .notPermitted,
        "the bundle in \(bundle.folder) has no \(requested.taskKind.rawValue) definition for"
          + " \(identifier), which the runner could launch; write one with \"kind\":"
          + " \"\(requested.taskKind.rawValue)\"")
    }
    let request = try self.request(requested, definition, identifier)
    let program = try CommandSearch.executable(
      of: definition,
      installation: try Installation.near(
        try Surroundings.executable(), environment: Environment(environment)),
      environment: Environment(environment))
    let fixed = definition.manifest.command.dropFirst().map { Array($0.utf8) }
    let specification = LaunchSpecification(
      directory: try Surroundings(environment: Environment(environment)).directory(),
      arguments: [Array(program.utf8)] + fixed, environment: CurrentProcess.environment())
    _ = try link().submit(request, specification)
  }

  private func request(
    _ requested: RequestedTask, _ definition: Definition, _ identifier: JobIdentifier
  ) throws(WireError) -> SubmitRequest {
    var request = definition.submitRequest(key: FreshName.key(), identifier: identifier)
    if case .processing(let network, let power) = requested.kind {
      request.requirements.network = request.requirements.network || network
      request.requirements.power = request.requirements.power || power
    }
    request.notBefore = requested.earliestBeginDate.map {
      WallTime(milliseconds: Int64(clamping: Int(($0.timeIntervalSince1970 * 1000).rounded())))
    }
    try definition.checkCapabilities(for: request.requirements)
    return request
  }
}

extension RequestedTask {
  /// A request as the runner shows it.
  init(_ job: JobObject) {
    identifier = job.identifier
    earliestBeginDate = job.earliest.map {
      Date(timeIntervalSince1970: Double($0.milliseconds) / 1000)
    }
    switch job.kind {
    case .continued:
      kind = .continued(
        Continued(
          title: job.title, subtitle: job.subtitle, strategy: .queue,
          resources: job.requires.contains { $0.hasPrefix("gpu") } ? .gpu : []))
    case .processing:
      kind = .processing(
        network: job.requires.contains("network"), power: job.requires.contains("power"))
    case .refresh: kind = .refresh
    }
  }
}

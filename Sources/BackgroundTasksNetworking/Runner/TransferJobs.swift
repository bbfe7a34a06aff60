internal import BackgroundTasks
internal import Foundation
internal import JobClient
internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// The runner's jobs that make the transfers of this program, and those that launch it for their events.
struct TransferJobs: Sendable {
  /// The maximum time of a launch for events, all of them together.
  private static let launchLimit = Interval.seconds(30)

  let bundle: HostBundle
  let state: String
  private let environment: JobWire.Environment

  /// - Throws: the reason when there is no runner, or no bundle, for this program.
  init() throws(WireError) {
    bundle = try BGTaskScheduler.shared.hostBundle()
    environment = Environment(BGTaskScheduler.shared.environment)
    state = try BGTaskScheduler.shared.runnerLink().paths.stateDirectory
  }

  /// Submits a transfer; `after`: the jobs that must have ended before.
  func submit(
    _ record: TransferRecord, _ folder: TransferFolder, isDiscretionary: Bool, isUnmetered: Bool,
    limit: TimeInterval, after: [JobNumber]
  ) throws(WireError) -> JobStatus {
    let definition = try definition(record.kind.rawValue)
    let name = "\(definition.manifest.pattern.prefix.text).\(record.key.prefix(12))"
    guard let identifier = JobIdentifier(name) else {
      throw WireError(.internal, "\(name) is not an identifier")
    }
    var request = definition.submitRequest(key: record.key, identifier: identifier)
    request.subtitle = record.request.shown
    request.options.onStall = .continue
    request.options.priority =
      record.priority < 0.4 ? .low : record.priority > 0.6 ? .high : .normal
    if isDiscretionary {
      request.options.requirements.network = true
      request.options.requirements.power = true
      request.options.priority = .low
    }
    if limit < 7 * 24 * 3600 { request.options.limit = .milliseconds(UInt64(max(1, limit * 1000))) }
    request.notBefore = record.earliest.map {
      WallTime(milliseconds: $0.milliseconds)
    }
    request.afterAny = after
    let specification = LaunchSpecification(
      directory: Array(folder.path.utf8),
      arguments: try arguments(
        record, folder, definition,
        (isDiscretionary ? ["--discretionary"] : []) + (isUnmetered ? ["--unmetered"] : [])
      ).map { Array($0.utf8) },
      environment: BGTaskScheduler.launchEnvironment())
    return try link().submit(request, specification).job
  }

  private func arguments(
    _ record: TransferRecord, _ folder: TransferFolder, _ definition: Definition, _ flags: [String]
  ) throws(WireError) -> [String] {
    let program = try CommandSearch.executable(
      of: definition, installation: installation(), environment: environment)
    let common =
      [program, "--answer", folder.answer, "--header-file", folder.headers] + flags
    switch record.kind {
    case .download:
      let method = record.request.method
      let body = File.exists(folder.body) ? ["--body", folder.body] : []
      return common + (method == "GET" ? [] : ["--method", method] + body) + [
        "--connections", "1", record.request.url, folder.file,
      ]
    case .upload:
      return common + [
        "--method", record.request.method, "--answer-body", folder.answerBody,
        record.source ?? folder.body, record.request.url,
      ]
    }
  }

  private func installation() throws(WireError) -> Installation {
    try Installation.near(try Surroundings.executable(), environment: environment)
  }

  private func definition(_ name: String) throws(WireError) -> Definition {
    var problems: [BundleError] = []
    let folder = try installation().jobs
    do throws(BundleError) {
      let all = try BundleSearch.bundle(in: folder, trust: .given, problems: &problems).definitions
      if let found = all.first(where: { $0.name == name }) { return found }
    } catch {
      throw WireError(.notFound, error.message)
    }
    throw WireError(.notFound, "jobrun's own job \(name) is not in \(folder)")
  }

  /// Launches this program for the events of a session once all of `after` have ended.
  func submitLaunch(
    for session: String, lock: String, after: [JobNumber]
  ) throws(WireError) -> JobNumber {
    let owner = bundle.manifest.identifier
    var request = SubmitRequest(
      key: FreshName.key(), identifier: "\(owner).session-events.\(FreshName.suffix())",
      title: bundle.manifest.name, speaksPage: true)
    request.subtitle = "events of \(session)".filter { !$0.isNewline }.prefix(200).description
    request.options.limit = Self.launchLimit
    request.options.onStall = .continue
    request.options.priority = .high
    request.bundle = owner.text
    request.afterAny = after
    request.details.unlessLocked = lock
    let words = [
      "\(SessionEvents.variable)=\(session)", "\(SessionEvents.lockVariable)=\(lock)",
    ]
    let specification = LaunchSpecification(
      directory: try Surroundings(environment: environment).directory(),
      arguments: [Array(try Surroundings.executable().utf8)],
      environment: BGTaskScheduler.launchEnvironment() + words.map { Array($0.utf8) })
    return try link().submit(request, specification).job.number
  }

  /// Cancels a launch; a launch that has started goes on.
  func withdraw(_ number: JobNumber) {
    ask(.withdraw(.number(number)), "the launch \(number) was not taken back")
  }

  func cancel(_ number: JobNumber) {
    ask(.cancel(.one(.number(number)), now: false), "the transfer \(number) was not cancelled")
  }

  /// Puts a waiting transfer on hold, unless it is just being launched.
  func pause(_ number: JobNumber) {
    let failure = "the transfer \(number) was not suspended"
    let pause = Request.pause(.one(.number(number)), keepSlot: false)
    _ = ask(pause, failure) || ask(.hold(.number(number)), failure) || ask(pause, failure)
  }

  func resume(_ number: JobNumber) {
    let failure = "the transfer \(number) was not resumed"
    if !ask(.resume(.one(.number(number))), failure) { ask(.release(.number(number)), failure) }
  }

  /// Removes its dependencies on other jobs.
  func letGo(_ number: JobNumber) {
    var edit = JobEdit()
    edit.afterAny = []
    ask(
      .edit(.number(number), edit),
      "the transfer \(number) is waiting for other transfers of its host")
  }

  /// Returns whether the runner knows the job; other failures are logged.
  @discardableResult
  private func ask(_ request: Request, _ failure: String) -> Bool {
    do throws(WireError) {
      _ = try link().ask(request)
    } catch  where error.code == .notFound {
      return false
    } catch {
      StandardError.say("\(failure): \(error.message)")
    }
    return true
  }

  private func link() throws(WireError) -> RunnerLink { try BGTaskScheduler.shared.runnerLink() }
}

internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// The whole job: schedule the next run, fetch, compare, keep.
enum Refresh {
  /// Does what the arguments ask for.
  ///
  /// The next run is requested first, as in Apple's example, so that it happens whatever fails now.
  static func run(_ arguments: RefreshArguments, _ task: BGAppRefreshTask) async throws {
    let obstacle = try await scheduleNext(arguments, task)
    let kept = KeptFile(arguments.path)
    defer { kept.removeRemains() }
    let fetched = try await Fetch(arguments.address, into: kept).run()
    task.message = try change(arguments, kept, fetched)
    Report.say(task.message)
    if let obstacle { throw RefreshError.scheduling(obstacle) }
  }

  /// Requests the next run; returns the reason of a failure, nil when it succeeded or was not wanted.
  private static func scheduleNext(
    _ arguments: RefreshArguments, _ task: BGAppRefreshTask
  ) async throws -> String? {
    guard let every = arguments.every else { return nil }
    let environment = ProcessInfo.processInfo.environment
    guard let jobrun = environment["JOBRUN_COMMAND"] else {
      return "JOBRUN_COMMAND is not set"
    }
    let answer = try await Program(jobrun).run(
      ["schedule", task.identifier, "--earliest", "+\(every)", "--"] + arguments.words)
    return answer.status == 0 ? nil : answer.lastError
  }

  private static func change(
    _ arguments: RefreshArguments, _ kept: KeptFile, _ fetched: Fetch.Outcome
  ) throws -> String {
    let address = Report.address(arguments.address)
    guard fetched == .content else { return "\(address) has not changed" }
    let old = kept.size
    guard try kept.takeNew() else { return "\(address) has not changed" }
    let new = Report.bytes(kept.size ?? 0)
    guard let old else { return "\(address) is kept: \(new)" }
    return "\(address) has changed: \(new), was \(Report.bytes(old))"
  }
}

internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// The whole job: plan, survey, copy.
enum Mirror {
  /// Exit code of a copy that is there, but lacks files.
  private static let incomplete: Int32 = 2

  /// Does what the arguments ask for; `task` shows and stops it.
  static func run(_ arguments: MirrorArguments, _ task: BGContinuedProcessingTask) throws {
    let plan = try MirrorPlan(arguments)
    let state = BGTaskScheduler.shared.stateDirectory.map { BytePath($0.path) }
    let checkpoint = try Checkpoint(in: state, for: plan, boot: bootIdentifier())
    do {
      if !checkpoint.isResumed { try plan.checkTargetIsFree() }
    } catch {
      checkpoint.remove()
      throw error
    }
    if checkpoint.isResumed { Report.say("going on where an earlier attempt was interrupted") }
    let status = StatusLine(task)
    task.unit = .bytes
    task.progress.totalUnitCount = try MirrorSurvey.bytes(of: plan, status: status)
    let copier = Copier(plan, checkpoint, task: task, status: status)
    try copier.copy()
    try Task.checkCancellation()
    settle(task)
    guard copier.tally.failed == 0 else {
      throw JobFailure(copier.tally.summary, exitCode: incomplete)
    }
    checkpoint.remove()
    task.message = copier.tally.summary
  }

  /// Files change while they are copied: what was done in the end is the whole.
  private static func settle(_ task: BGContinuedProcessingTask) {
    if task.progress.completedUnitCount == 0 { task.advance(by: 1) }
    task.progress.totalUnitCount = task.progress.completedUnitCount
  }

  /// Names this start of the machine (`man 4 random`); one that is unknown is like no other.
  private static func bootIdentifier() -> String {
    let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? UUID().uuidString
  }
}

internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// The whole job: plan, survey, copy.
enum Mirror {
  /// The exit code of a copy that lacks files.
  private static let incomplete: Int32 = 2

  /// Does what the arguments ask for; `task` reports progress and is checked for cancellation.
  static func run(_ arguments: MirrorArguments, _ task: BGContinuedProcessingTask) throws {
    let plan = try MirrorPlan(arguments)
    let state = BGTaskScheduler.shared.stateDirectory.map { BytePath($0.path) }
    let checkpoint = try Checkpoint(in: state, for: plan, boot: bootIdentifier())
    if checkpoint.isResumed { Report.say("continuing where an earlier attempt was interrupted") }
    let status = StatusLine(task)
    task.unit = .bytes
    task.progress.totalUnitCount = try SourceSize.bytes(of: plan.source, status: status)
    let copier = Copier(plan, checkpoint, task: task, status: status)
    try copier.copy()
    try Task.checkCancellation()
    completeProgress(of: task)
    guard copier.tally.failed == 0 else {
      throw JobFailure(copier.tally.summary, exitCode: incomplete)
    }
    task.message = copier.tally.summary
    // Until the success is recorded, another attempt must know that the target is its own.
    task.setTaskCompleted(success: true)
    checkpoint.remove()
  }

  /// Sets the total to the completed count: files may have changed while they were copied.
  private static func completeProgress(of task: BGContinuedProcessingTask) {
    if task.progress.completedUnitCount == 0 { task.advance(by: 1) }
    task.progress.totalUnitCount = task.progress.completedUnitCount
  }

  /// Identifies this boot of the machine (`man 4 random`); an unknown one is unique.
  private static func bootIdentifier() -> String {
    let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? UUID().uuidString
  }
}

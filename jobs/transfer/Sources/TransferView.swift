internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// What a person sees of a transfer.
final class TransferView {
  /// The time that a silence is announced for while the job waits.
  private static let quiet = Duration.seconds(120)

  private let task: BGContinuedProcessingTask
  private let name: String
  private var shownTotal: Int64?
  private var isWaiting = false

  init(_ task: BGContinuedProcessingTask, name: String) {
    self.task = task
    self.name = name
    task.updateSubtitle(name)
  }

  /// Shows how far it is, and that somebody watches over it; nil = nobody knows how far it goes.
  func show(_ done: Int64, of total: Int64?) {
    if let total, total != shownTotal {
      task.progress.totalUnitCount = total
      shownTotal = total
    }
    task.progress.completedUnitCount = done
    task.reportAlive()
  }

  /// It waits for an answer, and not for ever.
  func reportAlive() { task.reportAlive() }

  /// Shows what it waits for and how long; nil = it does not wait.
  func show(waiting: (span: Duration, reason: String)?) {
    guard let waiting else {
      guard isWaiting else { return }
      isWaiting = false
      task.announceQuiet(for: .zero)
      return task.updateSubtitle(name)
    }
    isWaiting = true
    task.announceQuiet(for: Self.quiet)
    task.updateSubtitle("again in \(waiting.span.components.seconds + 1) s: \(waiting.reason)")
  }
}

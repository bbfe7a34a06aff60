internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// The visible state of a transfer.
final class TransferView {
  /// The length of an announced silence while the job waits.
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

  /// Shows the progress, which is also a sign of life; nil = unknown total.
  func show(_ done: Int64, of total: Int64?) {
    if let total, total != shownTotal {
      task.progress.totalUnitCount = total
      shownTotal = total
    }
    task.progress.completedUnitCount = done
    task.reportAlive()
  }

  /// A sign of life while it waits for a response, which has a timeout.
  func reportAlive() { task.reportAlive() }

  /// Shows the reason and the length of a delay; nil = no delay.
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

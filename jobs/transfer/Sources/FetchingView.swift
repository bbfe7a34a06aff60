internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// What a person sees of a download.
final class FetchingView {
  /// The time that a silence is announced for while the job waits.
  private static let quiet = Duration.seconds(120)

  private let task: BGContinuedProcessingTask
  private let name: String
  private var shownTotal: Int64?
  private var isWaiting = false

  init(_ task: BGContinuedProcessingTask, name: BytePath, host address: WebAddress) {
    self.task = task
    self.name = (address.fileName ?? name).description
    task.updateSubtitle(self.name)
  }

  /// An earlier attempt had got so far.
  func resumed(_ notes: TransferNotes) {
    Report.say("going on at \(Report.bytes(notes.done)), where it was interrupted")
  }

  /// Shows how far it is, or what it waits for and how long.
  func show(_ notes: TransferNotes, waiting: (Duration, String)?) {
    if let total = notes.total, total != shownTotal {
      // An empty file is one unit of work: it must be possible to finish it.
      task.progress.totalUnitCount = max(1, total)
      shownTotal = total
    }
    task.progress.completedUnitCount = notes.total == 0 && notes.isWhole ? 1 : notes.done
    show(waiting)
  }

  private func show(_ waiting: (Duration, String)?) {
    guard let (span, reason) = waiting else {
      guard isWaiting else { return }
      isWaiting = false
      task.announceQuiet(for: .zero)
      return task.updateSubtitle(name)
    }
    isWaiting = true
    task.announceQuiet(for: Self.quiet)
    task.updateSubtitle("again in \(span.components.seconds + 1) s: \(reason)")
  }
}

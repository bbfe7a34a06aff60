package import BackgroundTasks

/// The current activity of the job, shown at most ten times a second: an archive of small files has
/// thousands of names in that time.
package final class StatusLine {
  private static let interval = Duration.milliseconds(100)

  private let task: BGContinuedProcessingTask
  private var shownAt = ContinuousClock.now - StatusLine.interval
  private var waiting: (() -> String)?

  package init(_ task: BGContinuedProcessingTask) {
    self.task = task
  }

  /// Shows `text` now, or later unless a newer one follows.
  package func show(_ text: @escaping () -> String) {
    waiting = text
    refresh()
  }

  /// To be called in long work: shows a pending text when its time has come.
  package func refresh() {
    guard let text = waiting else { return }
    let now = ContinuousClock.now
    guard now - shownAt >= Self.interval else { return }
    shownAt = now
    waiting = nil
    task.updateSubtitle(text())
  }

  /// Shows `text` now, whatever was shown before.
  package func showAtOnce(_ text: String) {
    waiting = nil
    shownAt = ContinuousClock.now
    task.updateSubtitle(text)
  }
}

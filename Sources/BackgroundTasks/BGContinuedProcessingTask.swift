internal import Dispatch
public import Foundation
internal import Synchronization

/// Work that a person started on purpose and watches; after Apple's class of this name.
///
/// It must report progress: through `progress` as everywhere in Foundation, or through `advance(by:)`,
/// which costs a third. Reports cost no system call; report as often as there is news.
public final class BGContinuedProcessingTask: BGTask, ProgressReporting, @unchecked Sendable {
  private struct Texts {
    var title: String
    var subtitle: String
  }

  private let counts: JobProgress
  private let texts: Mutex<Texts>

  override init(
    identifier: String, page: WorkerPage, queue: DispatchQueue,
    whenCompleted: @escaping @Sendable (Int32) -> Void
  ) {
    counts = JobProgress(page: page)
    texts = Mutex(Texts(title: page.initialTitle, subtitle: page.initialSubtitle))
    super.init(
      identifier: identifier, page: page, queue: queue, whenCompleted: whenCompleted)
  }

  /// How far the work is, in units of the author's choice.
  ///
  /// Set `totalUnitCount` (0 = not known yet) and add to `completedUnitCount`, from any thread, or
  /// attach children: their composed fraction is published ten times a second. A kind of `.file`
  /// makes the units bytes. `isCancelled` turns true when the job is told to stop. Without children
  /// `fractionCompleted` follows in steps of a thousandth.
  public var progress: Progress { counts }

  /// Adds to the completed units; exact from any number of threads.
  public func advance(by units: Int64) {
    counts.advance(by: units)
  }

  /// What the units are; `.items` at first.
  public var unit: ProgressUnit {
    get { page.unit }
    set { page.setUnit(newValue) }
  }

  /// What the job is, as people see it.
  public var title: String { texts.withLock { $0.title } }

  /// What the job does at the moment, as people see it.
  public var subtitle: String { texts.withLock { $0.subtitle } }

  /// Shows another title and subtitle.
  ///
  /// Each is cut after 253 bytes of UTF-8, and control characters are shown as blanks. It is also a
  /// sign of life.
  public func updateTitle(_ title: String, subtitle: String) {
    texts.withLock { texts in
      texts = Texts(title: title, subtitle: subtitle)
      page.setTexts(title: title, subtitle: subtitle)
    }
  }

  /// Shows another subtitle under the same title.
  public func updateSubtitle(_ subtitle: String) {
    texts.withLock { texts in
      texts.subtitle = subtitle
      page.setTexts(title: nil, subtitle: subtitle)
    }
  }

  /// A sign of life without any progress, for work whose total is not known.
  public func reportAlive() {
    page.report()
  }

  /// Announces that nothing will be reported for a while, so that the silence is not held against
  /// the job; `.zero` ends the announcement.
  public func announceQuiet(for span: Duration) {
    page.announceQuiet(for: span)
  }

  override func willComplete() {
    counts.finish()
  }

  override func didStop() {
    counts.cancel()
  }
}

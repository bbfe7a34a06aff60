internal import Synchronization

/// Work that a person started on purpose and watches; after Apple's class of this name.
///
/// It must report progress: through `progress` as everywhere in Foundation, or through `advance(by:)`,
/// which costs a third. Reports cost no system call; report as often as there is news.
public final class BGContinuedProcessingTask: BGTask, @unchecked Sendable {
  private struct Texts {
    var title: String
    var subtitle: String
  }

  private let texts: Mutex<Texts>

  override init(_ start: TaskStart) {
    texts = Mutex(Texts(title: start.page.initialTitle, subtitle: start.page.initialSubtitle))
    super.init(start)
  }

  /// The displayed name of the job.
  public var title: String { texts.withLock { $0.title } }

  /// The displayed current activity of the job.
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
}

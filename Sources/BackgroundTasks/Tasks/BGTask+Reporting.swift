extension BGTask {
  /// Adds to the completed units; exact from any number of threads.
  public func advance(by units: Int64) {
    counts.advance(by: units)
  }

  /// The kind of units; `.items` by default.
  public var unit: ProgressUnit {
    get { page.unit }
    set { page.setUnit(newValue) }
  }

  /// A sign of life without any progress, for work whose total is not known.
  public func reportAlive() {
    page.report()
  }

  /// Announces a quiet phase, during which the task is not judged by its silence; `.zero` ends it.
  public func announceQuiet(for span: Duration) {
    page.announceQuiet(for: span)
  }
}

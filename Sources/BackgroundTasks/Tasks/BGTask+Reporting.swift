extension BGTask {
  /// Adds to the completed units; exact from any number of threads.
  public func advance(by units: Int64) {
    counts.advance(by: units)
  }

  /// What the units are; `.items` at first.
  public var unit: ProgressUnit {
    get { page.unit }
    set { page.setUnit(newValue) }
  }

  /// A sign of life without any progress, for work whose total is not known.
  public func reportAlive() {
    page.report()
  }

  /// Announces that nothing will be reported for a while, so that the silence is not held against
  /// the task; `.zero` ends the announcement.
  public func announceQuiet(for span: Duration) {
    page.announceQuiet(for: span)
  }
}

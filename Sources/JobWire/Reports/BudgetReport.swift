package import JobCore

/// What bundles get of the moments that the runner picks, and what each has had.
package struct BudgetReport: Hashable, Sendable {
  /// Most starts of a bundle in `window`; nil = any number.
  package var starts: Int?
  /// Most processor time of what was started; nil = any.
  package var processorTime: Interval?
  package var window: Interval
  /// Those that have had something.
  package var bundles: [Allowance] = []

  package init(_ budget: Budget, _ bundles: [Allowance] = []) {
    (starts, processorTime, window) = (budget.starts, budget.processorTime, budget.window)
    self.bundles = bundles
  }
}

extension BudgetReport: Coded {
  package init() {
    self.init(Budget())
    starts = nil
  }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.codeAlways(&starts, "starts")
    let seconds = try coder.coded(processorTime?.seconds, "processorSeconds", null: true)
    let window = try coder.coded(self.window.nanoseconds / 1_000_000_000, "windowSeconds")
    try coder.codeAlways(&bundles, "bundles")
    guard coder.isReading else { return }
    (processorTime, self.window) = (seconds.map { Interval(seconds: $0) }, .seconds(window))
  }
}

extension Allowance: Coded {
  package init() { self.init(JobIdentifier.blank) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&bundle, "bundle")
    try coder.code(&starts, "starts")
    var seconds = processorTime.seconds
    try coder.codeAlways(&seconds, "processorSeconds")
    if coder.isReading { processorTime = Interval(seconds: seconds) }
    try coder.code(&failures, "failures")
    try coder.codeAlways(&until, "until")
    try coder.codeAlways(&why, "why")
  }
}

extension Interval {
  fileprivate init(seconds: Double) {
    self.init(nanoseconds: UInt64(min(max(seconds, 0) * 1e9, 9e18)))
  }

  fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}

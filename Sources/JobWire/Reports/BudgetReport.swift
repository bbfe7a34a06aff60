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

extension BudgetReport {
  init(_ fields: JSONFields) throws(WireError) {
    self.init(Budget())
    starts = try fields.optionalNumber("starts")
    processorTime = try fields.optionalDouble("processorSeconds").map { Interval(seconds: $0) }
    window = .seconds(try fields.number("windowSeconds"))
    for value in try fields.array("bundles") {
      bundles.append(try Allowance(JSONFields(value, path: "budget.bundles.")))
    }
  }
}

extension Allowance {
  fileprivate init(_ fields: JSONFields) throws(WireError) {
    let name = try fields.string("bundle")
    guard let bundle = JobIdentifier(name) else {
      throw WireError(
        .usage,
        "\"bundle\" is \(name.quoted), which is not the identifier of"
          + " a bundle")
    }
    self.init(bundle)
    starts = try fields.number("starts")
    processorTime = Interval(seconds: try fields.optionalDouble("processorSeconds") ?? 0)
    failures = try fields.number("failures")
    until = try fields.optionalTime("until")
    why = try fields.optionalString("why")
  }
}

extension Interval {
  fileprivate init(seconds: Double) {
    self.init(nanoseconds: UInt64(min(max(seconds, 0) * 1e9, 9e18)))
  }

  fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension JSONWriter {
  mutating func value(_ report: BudgetReport) {
    beginObject()
    field("starts", report.starts)
    field("processorSeconds", report.processorTime.map { $0.seconds })
    field("windowSeconds", report.window.nanoseconds / 1_000_000_000)
    key("bundles")
    beginArray()
    for allowance in report.bundles { value(allowance) }
    endArray()
    endObject()
  }

  /// What a bundle has had, as one object.
  package mutating func value(_ allowance: Allowance) {
    beginObject()
    field("bundle", allowance.bundle.text)
    field("starts", allowance.starts)
    field("processorSeconds", allowance.processorTime.seconds)
    field("failures", allowance.failures)
    field("until", allowance.until)
    field("why", allowance.why)
    endObject()
  }
}

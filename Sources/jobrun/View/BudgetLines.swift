import JobCore
import JobWire

/// The lines about bundles' budgets in `jobrun pending`.
enum BudgetLines {
  /// One line for each bundle with usage, followed by the rule; empty without usage.
  static func text(_ report: BudgetReport, at now: Moment) -> [String] {
    guard !report.bundles.isEmpty else { return [] }
    let window = DurationText.format(report.window)
    let most = [
      report.starts.map { "\($0) \($0 == 1 ? "start" : "starts")" },
      report.processorTime.map { "\(DurationText.format($0)) of processor time" },
    ].compactMap { $0 }
    let rule =
      most.isEmpty
      ? "any number of starts; after failures it waits longer each time"
      : most.joined(separator: " and ") + " in \(window); after failures it waits longer each time"
    return report.bundles.map { line($0, report, at: now) } + ["each bundle: \(rule)"]
  }

  private static func line(
    _ allowance: Allowance, _ report: BudgetReport, at now: Moment
  ) -> String {
    func used(_ amount: String, of most: String?) -> String {
      most.map { "\(amount) of \($0)" } ?? amount
    }
    let seconds = Double(allowance.processorTime.milliseconds) / 1_000
    var parts = [
      used("\(allowance.starts)", of: report.starts.map { "\($0)" }) + " starts",
      used(QuantityText.length(seconds), of: report.processorTime.map(DurationText.format))
        + " of processor time",
    ]
    if allowance.failures > 0 { parts.append("\(allowance.failures) failed in a row") }
    if let until = allowance.until, until > now.wall {
      parts.append("nothing before \(ShownTime.ahead(until, now: now.wall))")
    }
    return "\(allowance.bundle): \(parts.joined(separator: ", "))"
  }
}

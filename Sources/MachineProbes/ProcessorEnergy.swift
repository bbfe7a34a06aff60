package import JobCore

/// The energy that the machine's processors have used, and their busy time: a job gets the share of the energy
/// that it had of the busy time.
///
/// That is an estimate, and its rule is reported with it: no counter measures the energy of one process. The
/// kernel counts whole processors (Documentation/power/powercap), readable only by root on most systems, and
/// the busy time in `/proc/stat` (proc_stat(5)). Uncertain values are not reported.
package final class ProcessorEnergy {
  /// A reading of both.
  package struct Mark: Hashable, Sendable {
    /// Readings of another row cannot be compared with it.
    var row = 0
    var microjoules: UInt64 = 0
    var busyMicroseconds: UInt64 = 0
  }

  /// The counter of one processor, which begins anew after `range`.
  private struct Counter {
    let path: String
    let range: UInt64
    var last: UInt64

    /// The energy counted up to `value`.
    func counted(to value: UInt64) -> UInt64 {
      value >= last ? value - last : (range - min(range, last)).addedHeld(value)
    }
  }

  private static let folder = "/sys/class/powercap"
  /// No processor takes a kilowatt: microjoules in a microsecond.
  private static let most: UInt64 = 1_000
  /// The unit of `/proc/stat`, the same on all machines; readings within one tick show no change.
  private static let tick = Interval.milliseconds(10)

  private let tree: SystemTree
  private var counters: [Counter] = []
  private var newest = Mark()
  private var lookedAt = Instant(nanoseconds: 0)
  private var sleptThen = Interval.zero

  package init(tree: SystemTree) {
    self.tree = tree
    for name in tree.entries(Self.folder)
    // Subdomains of a processor have a second number, and other domains another name.
    where name.hasPrefix("intel-rapl:") && name.split(separator: ":").count == 2 {
      let path = "\(Self.folder)/\(name)"
      guard tree.word(path + "/name")?.hasPrefix("package") == true else { continue }
      guard let range = number(path + "/max_energy_range_uj"),
        let last = number(path + "/energy_uj")
      else {
        // The sum of only some of them would be too small.
        counters = []
        return
      }
      counters.append(Counter(path: path + "/energy_uj", range: range, last: last))
    }
  }

  /// Within this time no counter begins anew twice.
  private var longest: Interval? {
    counters.map { $0.range }.min().map { .microseconds($0 / Self.most) }
  }

  /// When to read again while jobs run; nil if there are no counters.
  package var nextDue: Instant? {
    longest.map { lookedAt + Interval(nanoseconds: $0.nanoseconds / 2) }
  }

  /// The current reading of both; nil without counters.
  ///
  /// `slept`: how long the machine has slept since its start, during which counters may stop or be reset.
  package func look(at now: Instant, slept: Interval) -> Mark? {
    guard let longest else { return nil }
    let passed = (now - lookedAt) + slept.less(sleptThen)
    if newest.row > 0, passed < Self.tick { return newest }
    let values = counters.compactMap { number($0.path) }
    guard values.count == counters.count, let busy = busyMicroseconds else { return nil }
    var isCertain = newest.row > 0 && passed <= longest && busy >= newest.busyMicroseconds
    var sum: UInt64 = 0
    for (place, value) in values.enumerated() {
      let counted = counters[place].counted(to: value)
      // The counter was reset, by a sleep or by a person.
      isCertain = isCertain && counted / Self.most <= passed.nanoseconds / 1_000
      sum = sum.addedHeld(counted)
      counters[place].last = value
    }
    if isCertain { newest.microjoules = newest.microjoules.addedHeld(sum) } else { newest.row += 1 }
    newest.busyMicroseconds = busy
    (lookedAt, sleptThen) = (now, slept)
    return newest
  }

  /// In millijoules, for work with this much processor time since then; nil if unknown.
  package func share(
    of processorMicroseconds: UInt64, since mark: Mark, at now: Instant, slept: Interval
  ) -> UInt64? {
    guard let present = look(at: now, slept: slept), present.row == mark.row,
      present.busyMicroseconds > mark.busyMicroseconds
    else { return nil }
    let busy = Double(present.busyMicroseconds - mark.busyMicroseconds)
    let part = min(1, Double(processorMicroseconds) / busy)
    return UInt64(Double(present.microjoules - mark.microjoules) * part / 1_000)
  }

  private func number(_ path: String) -> UInt64? { tree.word(path).flatMap { UInt64($0) } }

  /// Of all processors together: all but waiting.
  private var busyMicroseconds: UInt64? {
    guard let fields = tree.word("/proc/stat")?.split(separator: " "), fields.count >= 8,
      fields[0] == "cpu"
    else { return nil }
    // cpu user nice system idle iowait irq softirq …
    var ticks: UInt64 = 0
    for place in [1, 2, 3, 6, 7] {
      guard let count = UInt64(fields[place]) else { return nil }
      ticks = ticks.addedHeld(count)
    }
    return ticks.multipliedReportingOverflow(by: Self.tick.nanoseconds / 1_000).partialValue
  }
}

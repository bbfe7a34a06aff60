package import JobCore

/// What the processors of the machine have used of energy, and for how long they were at work: what a job
/// has had of that work, it is told to have had of the energy.
///
/// That is an estimate by a rule that is told with it: nothing counts the energy of one process. The kernel
/// counts whole processors (Documentation/power/powercap), which most systems let only root read, and
/// `/proc/stat` (proc_stat(5)) the work. What cannot be told for certain is not told at all.
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

    /// What it has counted until it shows `value`.
    func counted(to value: UInt64) -> UInt64 {
      value >= last ? value - last : (range - min(range, last)).addedHeld(value)
    }
  }

  private static let folder = "/sys/class/powercap"
  /// No processor takes a kilowatt: microjoules in a microsecond.
  private static let most: UInt64 = 1_000
  /// The unit of `/proc/stat`, which is the same on all machines; within it a reading says nothing new.
  private static let tick = Interval.milliseconds(10)

  private let tree: SystemTree
  private var counters: [Counter] = []
  private var newest = Mark()
  private var lookedAt = Instant(nanoseconds: 0)
  private var sleptThen = Interval.zero

  package init(tree: SystemTree) {
    self.tree = tree
    for name in tree.entries(Self.folder)
    // Parts of processors have a second number, and what is beside them another name.
    where name.hasPrefix("intel-rapl:") && name.split(separator: ":").count == 2 {
      let path = "\(Self.folder)/\(name)"
      guard tree.word(path + "/name")?.hasPrefix("package") == true else { continue }
      guard let range = number(path + "/max_energy_range_uj"),
        let last = number(path + "/energy_uj")
      else {
        // Of some of them it would be too little.
        counters = []
        return
      }
      counters.append(Counter(path: path + "/energy_uj", range: range, last: last))
    }
  }

  /// Within this time no counter begins anew twice.
  private var longest: Interval? {
    counters.map(\.range).min().map { .microseconds($0 / Self.most) }
  }

  /// When to look again while jobs run; nil where nothing is counted.
  package var nextDue: Instant? {
    longest.map { lookedAt + Interval(nanoseconds: $0.nanoseconds / 2) }
  }

  /// Both as they are now; nil where the machine does not tell.
  ///
  /// `slept`: for how long the machine has slept since it was started, in which counters may stand still or
  /// begin anew.
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
      // It was set back, by a sleep or by somebody.
      isCertain = isCertain && counted / Self.most <= passed.nanoseconds / 1_000
      sum = sum.addedHeld(counted)
      counters[place].last = value
    }
    if isCertain { newest.microjoules = newest.microjoules.addedHeld(sum) } else { newest.row += 1 }
    newest.busyMicroseconds = busy
    (lookedAt, sleptThen) = (now, slept)
    return newest
  }

  /// In millijoules, of work that has taken so much processor time since then; nil where that is not known.
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

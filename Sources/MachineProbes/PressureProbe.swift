package import JobWire

/// Pressure stall information from `/proc/pressure` (kernel: Documentation/accounting/psi.rst).
package struct PressureProbe: Probe {
  package typealias Fact = ResourcesReport.Pressure

  package init() {}

  package func read(_ tree: SystemTree) -> Reading<Fact> {
    var shares: [Double] = []
    for resource in ["cpu", "memory", "io"] {
      guard let text = tree.text("/proc/pressure/\(resource)") else {
        return .absent(because: "/proc/pressure/\(resource) cannot be read: this kernel has none")
      }
      guard let share = Self.share(text) else {
        return .absent(because: "/proc/pressure/\(resource) lacks `some avg10`")
      }
      shares.append(share)
    }
    return .present(
      Fact(cpu: shares[0], memory: shares[1], io: shares[2]),
      why: "percent of the last ten seconds in which something waited")
  }

  /// The first line is `some avg10=1.33 avg60=4.10 avg300=1.80 total=16043549`.
  static func share(_ text: String) -> Double? {
    for line in text.split(separator: "\n") where line.hasPrefix("some ") {
      for word in line.split(separator: " ") where word.hasPrefix("avg10=") {
        guard let share = Double(word.dropFirst(6)), (0...100).contains(share) else { return nil }
        return share
      }
    }
    return nil
  }
}

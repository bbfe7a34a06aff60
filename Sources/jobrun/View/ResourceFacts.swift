import JobCore
import JobWire

/// The machine's resources with their sources, for `jobrun resources`.
enum ResourceFacts {
  typealias Fact = (name: String, value: String)

  static func all(_ report: ResourcesReport) -> [Fact] {
    let slots: Fact = ("slots", "\(report.slotsUsed) of \(report.slotsTotal) taken")
    return gpus(report) + [
      ("processors", processors(report)), slots, ("memory", amount(report.memory, "available")),
      ("disk", amount(report.disk, "free")),
      ("network", condition(report.network)), ("power", condition(report.power)),
    ] + pressure(report) + report.counted.map { ($0.name, "\($0.used) of \($0.total) taken") }
  }

  private static func processors(_ report: ResourcesReport) -> String {
    let reserved = report.processorsReserved
    return "\(report.processors)" + (reserved > 0 ? ", \(reserved) reserved" : "")
      + " (\(report.processorsWhy))"
  }

  private static func gpus(_ report: ResourcesReport) -> [Fact] {
    let count = report.devices.count
    let head: Fact = ("gpu", "\(count == 0 ? "none" : "\(count)") (\(report.gpuWhy))")
    return [head] + report.devices.enumerated().map { ("gpu \($0)", device($1)) }
  }

  static func device(_ device: ResourcesReport.Device) -> String {
    var facts = [
      device.name,
      "\(BinarySize.format(device.memoryFreeBytes)) of"
        + " \(BinarySize.format(device.memoryTotalBytes)) free",
    ]
    if let utilisation = device.utilisation { facts.append("\(utilisation) % busy") }
    if let job = device.leasedBy {
      facts.append("leased by job \(job)")
    } else if device.processes > 0 {
      let others = device.processes == 1 ? "another process" : "\(device.processes) other processes"
      facts.append("used by \(others)")
    }
    return (facts + [device.uuid]).joined(separator: ", ")
  }

  private static func amount(_ amount: ResourcesReport.Amount, _ word: String) -> String {
    let reserved = amount.reservedBytes ?? 0
    return
      "\(BinarySize.format(amount.freeBytes)) of \(BinarySize.format(amount.totalBytes)) \(word)"
      + (reserved > 0 ? ", \(BinarySize.format(reserved)) reserved" : "") + " (\(amount.why))"
  }

  private static func condition(_ condition: Condition) -> String {
    "\(condition.holds ? "yes" : "no") (\(condition.why))"
  }

  private static func pressure(_ report: ResourcesReport) -> [Fact] {
    guard let pressure = report.pressure else { return [] }
    let parts = [("cpu", pressure.cpu), ("memory", pressure.memory), ("io", pressure.io)]
      .map { "\($0) \(QuantityText.fixed($1, 1)) %" }
    return [("pressure", parts.joined(separator: ", ") + " (waiting in the last 10 s)")]
  }
}

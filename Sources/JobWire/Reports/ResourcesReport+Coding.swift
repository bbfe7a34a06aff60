import JobCore

extension ResourcesReport {
  /// The report as JSON without newline: what `jobrun resources --json` prints.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}

extension JSONWriter {
  mutating func value(_ report: ResourcesReport) {
    beginObject()
    gpus(of: report)
    condition("power", report.power)
    condition("network", report.network)
    amount("memory", report.memory, free: "available")
    amount("disk", report.disk, free: "free")
    key("processors")
    beginObject()
    field("count", report.processors)
    field("why", report.processorsWhy)
    endObject()
    key("slots")
    beginObject()
    field("total", report.slotsTotal)
    field("used", report.slotsUsed)
    endObject()
    key("pressure")
    if let pressure = report.pressure { value(pressure) } else { null() }
    endObject()
  }

  private mutating func gpus(of report: ResourcesReport) {
    key("gpu")
    beginObject()
    field("available", !report.devices.isEmpty)
    field("why", report.gpuWhy)
    key("devices")
    beginArray()
    for device in report.devices { value(device) }
    endArray()
    endObject()
  }

  private mutating func value(_ device: ResourcesReport.Device) {
    beginObject()
    field("uuid", device.uuid)
    field("name", device.name)
    field("memoryTotal", device.memoryTotalBytes)
    field("memoryFree", device.memoryFreeBytes)
    field("utilisation", device.utilisation)
    field("processes", device.processes)
    field("leasedBy", device.leasedBy?.value)
    endObject()
  }

  private mutating func condition(_ name: StaticString, _ condition: Condition) {
    key(name)
    beginObject()
    field("holds", condition.holds)
    field("why", condition.why)
    endObject()
  }

  private mutating func amount(
    _ name: StaticString, _ amount: ResourcesReport.Amount, free: StaticString
  ) {
    key(name)
    beginObject()
    field("total", amount.totalBytes)
    field(free, amount.freeBytes)
    field("why", amount.why)
    endObject()
  }

  private mutating func value(_ pressure: ResourcesReport.Pressure) {
    beginObject()
    field("cpu", pressure.cpu)
    field("memory", pressure.memory)
    field("io", pressure.io)
    endObject()
  }
}

extension ResourcesReport {
  init(_ fields: JSONFields) throws(WireError) {
    let gpu = try fields.object("gpu")
    let processors = try fields.object("processors")
    let slots = try fields.object("slots")
    self.init(
      gpuWhy: try gpu.string("why"), devices: try ResourcesReport.devices(try gpu.array("devices")),
      power: try ResourcesReport.condition(try fields.object("power")),
      network: try ResourcesReport.condition(try fields.object("network")),
      memory: try ResourcesReport.amount(try fields.object("memory"), free: "available"),
      disk: try ResourcesReport.amount(try fields.object("disk"), free: "free"),
      processors: try processors.number("count"), processorsWhy: try processors.string("why"),
      slotsTotal: try slots.number("total"), slotsUsed: try slots.number("used"),
      pressure: try ResourcesReport.pressure(try fields.optionalObject("pressure")))
  }

  private static func devices(_ values: [JSONValue]) throws(WireError) -> [Device] {
    var devices: [Device] = []
    for value in values {
      let fields = try JSONFields(value, path: "gpu.devices.")
      let gpu = GPU(
        uuid: try fields.string("uuid"), name: try fields.string("name"),
        memoryTotalBytes: try fields.number("memoryTotal"),
        memoryFreeBytes: try fields.number("memoryFree"), processes: try fields.number("processes"))
      let leasedBy: UInt64? = try fields.optionalNumber("leasedBy")
      devices.append(
        Device(
          gpu, utilisation: try fields.optionalNumber("utilisation"),
          leasedBy: leasedBy.map { JobNumber($0) }))
    }
    return devices
  }

  private static func condition(_ fields: JSONFields) throws(WireError) -> Condition {
    Condition(holds: try fields.bool("holds"), why: try fields.string("why"))
  }

  private static func amount(_ fields: JSONFields, free: String) throws(WireError) -> Amount {
    Amount(
      totalBytes: try fields.number("total"), freeBytes: try fields.number(free),
      why: try fields.string("why"))
  }

  private static func pressure(_ fields: JSONFields?) throws(WireError) -> Pressure? {
    guard let fields else { return nil }
    return Pressure(
      cpu: try fields.double("cpu"), memory: try fields.double("memory"),
      io: try fields.double("io"))
  }
}

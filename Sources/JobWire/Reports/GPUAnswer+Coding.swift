extension GPUAnswer {
  /// The answer as one line, newline included.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("gpus")
    writer.beginArray()
    for device in gpus { Self.write(device, to: &writer) }
    writer.endArray()
    writer.field("why", why)
    writer.endObject()
    writer.newline()
    return writer.bytes
  }

  /// Reads what a helper printed; nil when it is not one whole answer.
  package init?(output: [UInt8]) {
    do {
      let fields = try JSONFields(line: output[...])
      var devices: [Device] = []
      for value in try fields.array("gpus") {
        devices.append(try Self.device(JSONFields(value, path: "gpus.")))
      }
      self = GPUAnswer(gpus: devices, why: try fields.string("why")).cleaned
    } catch {
      return nil
    }
  }

  private static func write(_ device: Device, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("uuid", device.uuid)
    writer.field("name", device.name)
    writer.field("memoryTotal", device.memoryTotal)
    writer.field("memoryFree", device.memoryFree)
    writer.field("utilisation", device.utilisation)
    writer.field("energy", device.energy)
    writer.key("processes")
    writer.beginArray()
    for process in device.processes { writer.value(UInt64(process)) }
    writer.endArray()
    writer.endObject()
  }

  private static func device(_ fields: JSONFields) throws(WireError) -> Device {
    var processes: [UInt32] = []
    for value in try fields.array("processes") {
      guard case .natural(let number) = value, let process = UInt32(exactly: number) else {
        throw WireError(.usage, "\"gpus.processes\" must be process ids")
      }
      processes.append(process)
    }
    var device = Device(
      uuid: try fields.string("uuid"), name: try fields.string("name"),
      memoryTotal: try fields.number("memoryTotal"), memoryFree: try fields.number("memoryFree"),
      utilisation: try fields.optionalNumber("utilisation"), processes: processes)
    device.energy = try fields.optionalNumber("energy")
    return device
  }
}

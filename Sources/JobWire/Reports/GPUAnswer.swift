/// What `jobrun-helper gpu` prints, as one line of JSON: the GPUs that the driver told of.
///
/// The helper writes it and the runner reads it. The helper shares its process with the driver's
/// library, so the reader trusts none of it: texts are cleaned and cut, numbers are clamped.
package struct GPUAnswer: Hashable, Sendable {
  package struct Device: Hashable, Sendable {
    /// The driver's stable name, as `CUDA_VISIBLE_DEVICES` takes it: `GPU-8c18…`.
    package var uuid: String
    package var name: String
    /// In bytes.
    package var memoryTotal: UInt64
    /// In bytes.
    package var memoryFree: UInt64
    /// Percent, 0…100; nil when the driver does not tell.
    package var utilisation: Int?
    /// Ids of the compute processes on it, as the driver tells them: in a container they may be
    /// those of the host.
    package var processes: [UInt32]
    /// In millijoules, since the driver was loaded; nil when it does not tell.
    package var energy: UInt64?

    package init(
      uuid: String, name: String, memoryTotal: UInt64, memoryFree: UInt64, utilisation: Int?,
      processes: [UInt32]
    ) {
      self.uuid = uuid
      self.name = name
      self.memoryTotal = memoryTotal
      self.memoryFree = memoryFree
      self.utilisation = utilisation
      self.processes = processes
    }
  }

  package var gpus: [Device]
  /// Where the answer comes from, what was left out, or why there is no GPU; never empty.
  package var why: String

  package init(gpus: [Device] = [], why: String) {
    self.gpus = gpus
    self.why = why
  }

  private static let textLimit = 512

  var cleaned: GPUAnswer {
    var seen: Set<String> = []
    let devices = gpus.compactMap { device -> Device? in
      var device = device
      device.uuid = Self.clean(device.uuid)
      device.name = Self.clean(device.name)
      device.memoryFree = min(device.memoryFree, device.memoryTotal)
      device.utilisation = device.utilisation.map { min(max($0, 0), 100) }
      return !device.uuid.isEmpty && seen.insert(device.uuid).inserted ? device : nil
    }
    let text = Self.clean(why)
    return GPUAnswer(gpus: devices, why: text.isEmpty ? "the helper gave no reason" : text)
  }

  /// Without control characters, so that it can be shown on a terminal, and of bounded length.
  private static func clean(_ text: String) -> String {
    let visible = text.unicodeScalars.prefix(textLimit).filter { scalar in
      scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
    }
    return String(String.UnicodeScalarView(visible))
  }
}

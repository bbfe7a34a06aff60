/// What `jobrun-helper gpu` prints, as one line of JSON: the GPUs that the driver told of.
///
/// The helper writes it and the runner reads it. The helper shares its process with the driver's
/// library, so the reader trusts none of it: texts are cleaned and cut, numbers are clamped.
package struct GPUAnswer: Hashable, Sendable {
  package struct Device: Hashable, Sendable {
    /// The driver's number for it, from 0; nil from helpers that do not tell it.
    package var index: Int?
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

  /// False for what stands in for the answer of a driver that gave none; the helper itself never prints it.
  package var isAnswer = true

  package init(gpus: [Device] = [], why: String) {
    self.gpus = gpus
    self.why = why
  }

  /// In place of an answer.
  package init(missing why: String) {
    self.init(why: why)
    isAnswer = false
  }

  private static let textLimit = 512

  var cleaned: GPUAnswer {
    var seen: Set<String> = []
    let devices = gpus.compactMap { device -> Device? in
      var device = device
      device.uuid = SafeText.shown(device.uuid, atMost: Self.textLimit)
      device.name = SafeText.shown(device.name, atMost: Self.textLimit)
      device.memoryFree = min(device.memoryFree, device.memoryTotal)
      device.utilisation = device.utilisation.map { min(max($0, 0), 100) }
      return !device.uuid.isEmpty && seen.insert(device.uuid).inserted ? device : nil
    }
    let text = SafeText.shown(why, atMost: Self.textLimit)
    return GPUAnswer(gpus: devices, why: text.isEmpty ? "the helper gave no reason" : text)
  }
}

extension GPUAnswer: Coded {
  package init() { self.init(why: "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.codeAlways(&gpus, "gpus")
    try coder.code(&why, "why")
  }

  /// Reads what a helper printed; nil when it is not one whole answer.
  package init?(output: [UInt8]) {
    guard let answer = try? Self(line: output[...]) else { return nil }
    self = answer.cleaned
  }
}

extension GPUAnswer.Device: Coded {
  package init() {
    self.init(
      uuid: "", name: "", memoryTotal: 0, memoryFree: 0, utilisation: nil, processes: [])
  }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&index, "index")
    try coder.code(&uuid, "uuid")
    try coder.code(&name, "name")
    try coder.code(&memoryTotal, "memoryTotal")
    try coder.code(&memoryFree, "memoryFree")
    try coder.codeAlways(&utilisation, "utilisation")
    try coder.codeAlways(&energy, "energy")
    try coder.codeAlways(&processes, "processes")
  }
}

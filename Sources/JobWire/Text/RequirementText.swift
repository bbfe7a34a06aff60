package import JobCore

/// Requirements as people type them, in manifests and after `--require`: `gpu`, `gpu=2`, `gpu-memory=8G`,
/// `cpu=4`, `memory=4G`, `disk=10G`, `network`, `power`, `idle`, several with commas; and `NAME=2` of a
/// resource that the machine's owner counts.
package enum RequirementText {
  private enum Name: String, CaseIterable {
    case gpu
    case gpuMemory = "gpu-memory"
    case cpu, memory, disk, network, power, idle
  }

  /// Whether a counted resource may have this name.
  package static func isFree(_ name: String) -> Bool {
    Name(rawValue: name) == nil && GroupName(name) != nil
  }

  /// Adds the requirements of a comma-separated list; a repeated one replaces the earlier.
  ///
  /// - Throws: `usage`, with a sentence that names the nearest known requirement.
  package static func apply(_ text: String, to requirements: inout Requirements)
    throws(WireError)
  {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      try applyOne(part.trimmed, to: &requirements)
    }
    if requirements.gpuMemoryBytes > 0, requirements.gpuCount == 0 { requirements.gpuCount = 1 }
  }

  /// The form that `apply` reads, one requirement per element.
  package static func format(_ requirements: Requirements) -> [String] {
    var texts: [String] = []
    switch requirements.gpuCount {
    case 0: break
    case 1: texts.append("gpu")
    default: texts.append("gpu=\(requirements.gpuCount)")
    }
    if requirements.processors > 0 { texts.append("cpu=\(requirements.processors)") }
    for need in requirements.counted { texts.append("\(need.name)=\(need.count)") }
    let sizes = [
      ("gpu-memory", requirements.gpuMemoryBytes), ("memory", requirements.memoryBytes),
      ("disk", requirements.diskBytes),
    ]
    for (name, bytes) in sizes where bytes > 0 {
      texts.append("\(name)=\(BinarySize.formatExactly(bytes))")
    }
    if requirements.network { texts.append("network") }
    if requirements.power { texts.append("power") }
    if requirements.whenIdle { texts.append("idle") }
    return texts
  }

  private static func applyOne(_ text: String, to requirements: inout Requirements)
    throws(WireError)
  {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let typed = String(parts.first ?? "")
    let value = parts.count > 1 ? String(parts[1]) : nil
    guard let name = Name(rawValue: typed) else {
      let names = Name.allCases.map { $0.rawValue }
      let hint = NearestName.hint(for: typed, among: names)
      // The runner knows the counted resources; a name close to one of ours was mistyped.
      guard isFree(typed), let value, !hint.holds("did you mean") else {
        let own =
          isFree(typed) && value == nil && !hint.holds("did you mean")
          ? ", or \(typed)=1 for one of \"resources\" in config.json" : ""
        throw WireError(.usage, "\(typed.quoted) is not a requirement" + hint + own)
      }
      guard let count = Int(value), (1...Limits.countedRequirement).contains(count) else {
        throw WireError(
          .usage, "the requirement \(typed) takes a whole number from 1, as in \(typed)=1")
      }
      requirements.counted.removeAll { $0.name == typed }
      requirements.counted.append(CountedNeed(typed, count))
      requirements.counted.sort { $0.name < $1.name }
      return
    }
    switch name {
    case .gpu: requirements.gpuCount = try count(value ?? "1", name)
    case .cpu: requirements.processors = try count(value, name)
    case .gpuMemory: requirements.gpuMemoryBytes = try size(value, name)
    case .memory: requirements.memoryBytes = try size(value, name)
    case .disk: requirements.diskBytes = try size(value, name)
    case .network: requirements.network = try flag(value, name)
    case .power: requirements.power = try flag(value, name)
    case .idle: requirements.whenIdle = try flag(value, name)
    }
  }

  private static func count(_ value: String?, _ name: Name) throws(WireError) -> Int {
    guard let value, let count = Int(value), (1...Limits.countedRequirement).contains(count) else {
      throw WireError(
        .usage,
        "the requirement \(name.rawValue) takes a whole number from 1, as in \(name.rawValue)=2")
    }
    return count
  }

  private static func size(_ value: String?, _ name: Name) throws(WireError) -> UInt64 {
    guard let value, let bytes = try? BinarySize.parse(value), bytes > 0 else {
      throw WireError(
        .usage, "the requirement \(name.rawValue) takes a size, as in \(name.rawValue)=4G")
    }
    return bytes
  }

  private static func flag(_ value: String?, _ name: Name) throws(WireError) -> Bool {
    guard value == nil else {
      throw WireError(.usage, "the requirement \(name.rawValue) takes no value")
    }
    return true
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

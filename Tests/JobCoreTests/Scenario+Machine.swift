import JobCore
import SimulatedWorld

extension Scenario {
  /// `gpus=2`, `foreign=0` (GPU 0 has a foreign process), `vram=80G/10G` (total, free), `memory=8G/4G`,
  /// `disk=100G/50G`, `cpus=4`, `offline`, `battery`, `mute` (its driver did not answer).
  func facts(_ options: Options) throws(BadLine) -> MachineFacts {
    let vram = options.pair("vram") ?? (80 << 30, 80 << 30)
    let memory = options.pair("memory") ?? (16 << 30, 16 << 30)
    let disk = options.pair("disk") ?? (100 << 30, 100 << 30)
    let count = options.number("gpus") ?? 0
    var gpus: [GPU] = []
    for index in 0..<count {
      gpus.append(
        GPU(
          uuid: "GPU-\(index)", name: "H200", memoryTotalBytes: vram.0, memoryFreeBytes: vram.1,
          processes: options.number("foreign") == index ? 1 : 0))
    }
    var facts = MachineFacts(
      gpus: gpus,
      gpuWhy: options.has("mute")
        ? "no answer" : count == 0 ? "no driver is loaded" : "NVML answered",
      processors: options.number("cpus") ?? 2, memoryTotalBytes: memory.0,
      memoryAvailableBytes: memory.1, diskTotalBytes: disk.0, diskFreeBytes: disk.1,
      network: Condition(holds: !options.has("offline"), why: "no default route"),
      power: Condition(holds: !options.has("battery"), why: "the battery discharges"))
    facts.gpusAreKnown = !options.has("mute")
    return facts
  }
}

extension Scenario {
  /// `starts=2 processor=60s`; no starts at all are any number.
  func budget(_ options: Options) -> Budget {
    var budget = Budget()
    if let starts = options.number("starts") { budget.starts = starts == 0 ? nil : starts }
    budget.processorTime = options.span("processor") ?? budget.processorTime
    return budget
  }

  /// `render slots=3`.
  func groups(_ name: String, _ options: Options) throws(BadLine) -> [GroupName: Int] {
    guard let group = GroupName(name) else { throw BadLine(description: "\(name) is no name") }
    return [group: options.number("slots") ?? 1]
  }

  /// `test background=no slots=2 other gpu=no`: bundles, each with its settings.
  func settings(_ words: ArraySlice<String>) throws(BadLine) -> [JobIdentifier: BundleSettings] {
    var all: [JobIdentifier: BundleSettings] = [:]
    var bundle: JobIdentifier?
    for word in words {
      let parts = word.split(separator: "=").map(String.init)
      guard parts.count == 2 else {
        bundle = JobIdentifier(word)
        continue
      }
      guard let bundle else { throw BadLine(description: "\(word) is of no bundle") }
      switch parts[0] {
      case "background": all[bundle, default: .init()].background = parts[1] == "yes"
      case "slots": all[bundle, default: .init()].slots = Int(parts[1])
      case "gpu": all[bundle, default: .init()].gpu = parts[1] == "yes"
      case "budget": all[bundle, default: .init()].budget = parts[1] == "yes"
      case "network": all[bundle, default: .init()].network = parts[1] == "yes"
      default: throw BadLine(description: "\(word) is no setting")
      }
    }
    return all
  }
}

/// The words after an event: flags, and `name=value`.
struct Options {
  var words: [String]

  init(_ words: ArraySlice<String>) {
    self.words = Array(words)
  }

  func has(_ flag: String) -> Bool { words.contains(flag) }

  func word(_ name: String) -> String? {
    words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  func number(_ name: String) -> Int? { word(name).flatMap { Int($0) } }
  func span(_ name: String) -> Interval? { word(name).flatMap { Interval(text: $0) } }
  func bytes(_ name: String) -> UInt64? { word(name).flatMap { Options.bytes($0[...]) } }

  func pair(_ name: String) -> (UInt64, UInt64)? {
    guard let parts = word(name)?.split(separator: "/"), parts.count == 2,
      let first = Options.bytes(parts[0]), let second = Options.bytes(parts[1])
    else { return nil }
    return (first, second)
  }

  private static func bytes(_ text: Substring) -> UInt64? {
    text.hasSuffix("G") ? UInt64(text.dropLast()).map { $0 << 30 } : UInt64(text)
  }
}

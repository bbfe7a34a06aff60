package import JobWire

/// What a job requests, in the words of its batch system.
package struct BatchRequest {
  package let system: BatchSystem
  package let greeting: EngineGreeting
  package var launch: EngineLaunch

  package init(system: BatchSystem, greeting: EngineGreeting, launch: EngineLaunch) {
    (self.system, self.greeting, self.launch) = (system, greeting, launch)
  }

  /// The batch system's own limit exceeds ours by this much.
  private static let spareSeconds: UInt64 = 180

  /// All that has no place of its own in the submission.
  package var options: String {
    let parts =
      (greeting.options + launch.options).map { QueueScript.quoted($0) }
      + system.optionKeys.map { part($0, isPlaced: false) }
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Empty if the job does not request it; a number of processors that has a place is at least one.
  package func part(_ key: BatchSystem.Key, isPlaced: Bool) -> String {
    switch key {
    case .queue:
      (launch.partition ?? greeting.partition)
        .map { fill(key, ["queue": QueueScript.quoted($0)]) } ?? ""
    case .cpu:
      launch.processors > 0 || isPlaced ? fill(key, ["n": "\(max(1, launch.processors))"]) : ""
    case .gpu: launch.gpuCount > 0 ? fill(key, ["n": "\(launch.gpuCount)"]) : ""
    case .memory: launch.memoryBytes > 0 ? fill(key, memory) : ""
    case .limit: launch.limitMilliseconds.map { fill(key, Self.time($0)) } ?? ""
    case .submit, .id, .list, .row, .waiting, .running, .ended, .show, .gone, .cancel: ""
    }
  }

  private func fill(_ key: BatchSystem.Key, _ values: [String: String]) -> String {
    system.template(key).filled { values[$0] }
  }

  private var memory: [String: String] {
    let bytes = launch.memoryBytes
    let each = bytes / UInt64(max(1, launch.processors))
    return [
      "bytes": "\(bytes)", "kb": "\(Self.rounded(bytes, 10))", "mb": "\(Self.rounded(bytes, 20))",
      "gb": "\(Self.rounded(bytes, 30))", "mbPerCPU": "\(Self.rounded(each, 20))",
    ]
  }

  private static func rounded(_ bytes: UInt64, _ shift: UInt64) -> UInt64 {
    (bytes >> shift) + (bytes & (1 << shift - 1) == 0 ? 0 : 1)
  }

  private static func time(_ milliseconds: UInt64) -> [String: String] {
    let seconds = milliseconds / 1_000 + spareSeconds
    let minutes = (seconds + 59) / 60
    let digits = { (number: UInt64) in number < 10 ? "0\(number)" : "\(number)" }
    return [
      "seconds": "\(seconds)", "minutes": "\(minutes)",
      "hms": "\(digits(seconds / 3_600)):\(digits(seconds / 60 % 60)):\(digits(seconds % 60))",
    ]
  }
}

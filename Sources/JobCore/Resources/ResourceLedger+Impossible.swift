extension ResourceLedger {
  /// Why a machine can never provide `demand`, in one sentence; nil when it may, or is not known.
  ///
  /// A total of zero means that the probe could not tell. Network and power come and go, so that their absence
  /// makes no job impossible. A driver that does not answer refuses a submission, but no job that `isWaiting`.
  func impossibility(
    of demand: Requirements, _ machine: String = "this machine", isWaiting: Bool = false
  ) -> String? {
    if let why = countedImpossibility(of: demand) { return why }
    guard let facts else { return nil }
    let mayHaveGPUs = isWaiting && !facts.gpusAreKnown
    return (mayHaveGPUs ? nil : gpuImpossibility(of: demand, facts, machine))
      ?? processorImpossibility(of: demand, facts, machine)
      ?? ResourceLedger.impossibility(
        of: demand.memoryBytes, total: facts.memoryTotalBytes, name: "memory", machine)
      ?? ResourceLedger.impossibility(
        of: demand.diskBytes, total: facts.diskTotalBytes, name: "disk space", machine)
  }

  private func gpuImpossibility(
    of demand: Requirements, _ facts: MachineFacts, _ machine: String
  ) -> String? {
    guard demand.gpuCount > 0 else { return nil }
    let why = facts.gpuWhy.isEmpty ? "" : ": " + facts.gpuWhy
    let needed = demand.gpuCount == 1 ? "a GPU" : "\(demand.gpuCount) GPUs"
    if facts.gpus.isEmpty {
      return "the job needs \(needed), and \(machine) has none\(why)"
    }
    if facts.gpus.count < demand.gpuCount {
      let count = facts.gpus.count == 1 ? "one" : "\(facts.gpus.count)"
      return "the job needs \(needed), and \(machine) has only \(count)\(why)"
    }
    let large = facts.gpus.filter { $0.memoryTotalBytes >= demand.gpuMemoryBytes }.count
    guard large < demand.gpuCount else { return nil }
    let most = facts.gpus.map { $0.memoryTotalBytes }.max() ?? 0
    return "the job needs \(needed) with \(words(bytes: demand.gpuMemoryBytes)) of memory;"
      + (large > 0
        ? " only \(large) of \(machine)'s GPUs have as much"
        : " the largest of \(machine) has \(words(bytes: most))")
  }

  private func processorImpossibility(
    of demand: Requirements, _ facts: MachineFacts, _ machine: String
  ) -> String? {
    guard facts.processors > 0, demand.processors > facts.processors else { return nil }
    return "the job needs \(demand.processors) processors, and \(machine) has \(facts.processors)"
  }

  private static func impossibility(
    of bytes: UInt64, total: UInt64, name: String, _ machine: String
  ) -> String? {
    guard total > 0, bytes > total else { return nil }
    return "the job needs \(words(bytes: bytes)) of \(name),"
      + " and \(machine) has \(words(bytes: total)) altogether"
  }
}

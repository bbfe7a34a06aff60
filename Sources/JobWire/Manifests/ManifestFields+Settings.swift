import JobCore

// The values of `config.json` that are more than a number, a text or a flag.
extension ManifestFields {
  /// Zero is no limit.
  func budget() throws(ManifestError) -> Budget {
    var budget = Budget()
    guard let fields = try object("budget", known: ["starts", "processorTime"]) else {
      return budget
    }
    if let starts = try fields.number("starts", in: 0...1_000_000) {
      budget.starts = starts == 0 ? nil : starts
    }
    if let time = try fields.duration("processorTime") {
      budget.processorTime = time == .zero ? nil : time
    }
    return budget
  }

  func groups() throws(ManifestError) -> [GroupName: Int] {
    var groups: [GroupName: Int] = [:]
    for (name, number) in try numbers("groups", in: 1...Limits.slots) {
      guard let group = GroupName(name) else {
        throw problem(
          "groups",
          "names \(name.quoted); a group is called by 1 to \(GroupName.bytesLimit) letters,"
            + " digits, '-' and '_', with single dots between them")
      }
      groups[group] = number
    }
    return groups
  }

  func resources() throws(ManifestError) -> [String: Int] {
    var resources: [String: Int] = [:]
    for (name, number) in try numbers("resources", in: 1...Limits.countedRequirement) {
      guard RequirementText.isFree(name) else {
        throw problem(
          "resources",
          "names \(name.quoted); a resource is called by 1 to \(GroupName.bytesLimit) letters, digits,"
            + " '-' and '_', and not as what every machine has (gpu, cpu, memory, disk, network, power)"
        )
      }
      resources[name] = number
    }
    return resources
  }

  func gpus() throws(ManifestError) -> GPUSelection? {
    guard let text = try text("gpus") else { return nil }
    guard let selection = GPUSelection(text) else {
      throw problem(
        "gpus",
        "is \(text.quoted); write indices or UUIDs of GPUs as in CUDA_VISIBLE_DEVICES, such as \"0,2\", or \"none\""
      )
    }
    return selection
  }

  /// The engine of jobs that name none.
  func engine(among engines: [String: EngineSettings]) throws(ManifestError) -> String? {
    guard let name = try text("on"), name != EngineName.here, engines[name] == nil else {
      return try text("on")
    }
    throw problem(
      "on", "is \(name.quoted): " + EngineName.unknown(name, among: Array(engines.keys)))
  }

  func absolute(_ path: String, _ key: String) throws(ManifestError) -> String {
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw problem(key, "names \(path.quoted); an absolute path is needed, which begins with /")
    }
    return path
  }
}

import JobCore

// A pool names machines; a job that is sent to it runs on one of them.
extension EngineSettings {
  /// Refuses pools of what is not a machine.
  static func checkPools(
    _ engines: [String: EngineSettings], _ fields: [String: ManifestFields]
  ) throws(ManifestError) {
    for (name, engine) in engines.sorted(by: { $0.key < $1.key }) where engine.kind == .pool {
      guard let fields = fields[name] else { continue }
      if engine.members.isEmpty {
        throw fields.problem("of", "names no member; write it like \"of\": [\"here\", \"tower\"]")
      }
      var seen: Set<String> = []
      for member in engine.members {
        if let problem = problem(of: member, in: name, engines) {
          throw fields.problem("of", problem)
        }
        guard seen.insert(member).inserted else {
          throw fields.problem("of", "names \(member.quoted) twice")
        }
      }
    }
  }

  private static func problem(
    of member: String, in pool: String, _ engines: [String: EngineSettings]
  ) -> String? {
    if member == EngineName.here { return nil }
    if member == pool { return "names \(member.quoted), the pool itself; name its machines" }
    guard let engine = engines[member] else {
      let machines = engines.filter { $0.value.kind == .host }.map { $0.key }
      let hint = NearestName.hint(for: member, among: machines.sorted() + [EngineName.here])
      return "names \(member.quoted), and no engine is called so\(hint)"
    }
    switch engine.kind {
    case .host: return nil
    case .pool: return "names the pool \(member.quoted); name the machines that are in it"
    default:
      return "names \(member.quoted), which has a queue of its own;"
        + " a pool consists of hosts and \"\(EngineName.here)\""
    }
  }
}

extension RunnerConfiguration {
  /// The machines on which each pool, and each host, may run a job.
  package var pools: [String: [String]] {
    engines.compactMapValues { engine in
      switch engine.kind {
      case .host: [engine.name]
      case .pool: engine.members
      default: nil
      }
    }
  }

  /// Most attempts that each engine has at a time; a pool has those of its machines.
  package var engineRoom: [String: Int] {
    engines.filter { $0.value.kind != .pool }.mapValues { $0.atMost }
  }
}

import JobWire
package import LinuxSystem

/// The runner's own limits and scheduling: no job exceeds them, whatever its submitter had.
package struct RunnerTerms {
  private let own: ProcessTerms
  /// CAP_SYS_RESOURCE and CAP_SYS_NICE (capabilities(7)).
  private let mayRaise: Bool
  private let mayHasten: Bool

  /// Nil where the kernel does not tell.
  init?() {
    guard let own = ProcessTerms.current() else { return nil }
    self.init(
      own, mayRaise: CurrentProcess.isCapable(of: 24), mayHasten: CurrentProcess.isCapable(of: 23))
  }

  package init(_ own: ProcessTerms, mayRaise: Bool, mayHasten: Bool) {
    self.own = own
    self.mayRaise = mayRaise
    self.mayHasten = mayHasten
  }

  /// How the process terms `asked` of a job differ from the defaults, one text each: `nice 5`, `as 4 GiB`,
  /// `nofile 64 (256 asked)`.
  package func differences(of asked: ProcessTerms) -> [String] {
    scheduling(asked)
      + zip(asked.limits, own.limits).compactMap { asked, own in difference(asked, own) }
  }

  private func scheduling(_ asked: ProcessTerms) -> [String] {
    var texts: [String] = []
    if asked.niceness < own.niceness, !mayHasten {
      texts.append("nice \(own.niceness) (\(asked.niceness) asked)")
    } else if asked.niceness != 0 {
      texts.append("nice \(asked.niceness)")
    }
    if let policy = asked.policy { texts.append("scheduling \(policy)") }
    if asked.processors != own.processors { texts.append("processors \(asked.processors)") }
    if asked.killScore < own.killScore, !mayRaise {
      texts.append("oom_score_adj \(own.killScore) (\(asked.killScore) asked)")
    } else if asked.killScore != own.killScore {
      texts.append("oom_score_adj \(asked.killScore)")
    }
    if asked.gainsNoPrivileges {
      texts.append("no new privileges")
    } else if own.gainsNoPrivileges {
      texts.append("no new privileges, as the runner has none")
    }
    return texts
  }

  private func difference(_ asked: ProcessTerms.Limit, _ own: ProcessTerms.Limit) -> String? {
    let most = mayRaise ? nil : own.hard
    if let most, asked.soft.map({ $0 > most }) ?? true {
      let wanted = asked.soft.map { Self.amount(asked.resource, $0) } ?? "no limit"
      return "\(Self.text(own.resource, most)) (\(wanted) asked)"
    }
    guard let soft = asked.soft, !Self.isUsual(soft, asked.resource, here: own.soft) else {
      return nil
    }
    return Self.text(asked.resource, soft)
  }

  /// Whether a limit is a default: for files and stack at least the kernel's default, for limits that the
  /// kernel derives from the machine's memory the runner's own value; others have no default value.
  private static func isUsual(
    _ value: UInt64, _ resource: ProcessTerms.Limit.Resource, here own: UInt64?
  ) -> Bool {
    switch resource {
    case .cpu, .fsize, .data, .rss, .addressSpace, .locks, .rttime: false
    case .core: true
    case .nofile: value >= 1024
    case .stack: value >= 8 << 20
    case .nproc, .memlock, .sigpending, .msgqueue, .nice, .rtprio: value == own
    }
  }

  private static func text(_ resource: ProcessTerms.Limit.Resource, _ value: UInt64) -> String {
    "\(resource.rawValue) \(amount(resource, value))"
  }

  private static func amount(
    _ resource: ProcessTerms.Limit.Resource, _ value: UInt64
  ) -> String {
    switch resource {
    case .cpu: "\(value) s"
    case .fsize, .data, .stack, .core, .rss, .memlock, .addressSpace: BinarySize.format(value)
    case .nproc, .nofile, .locks, .sigpending, .msgqueue, .nice, .rtprio, .rttime: "\(value)"
    }
  }

  /// The limits that apply to every job, and may end the runner itself; nil when there are none.
  package var note: String? {
    var texts = own.limits.compactMap { limit in
      limit.hard.flatMap { hard in
        Self.isUsual(hard, limit.resource, here: hard) ? nil : Self.text(limit.resource, hard)
      }
    }
    if own.niceness > 0, !mayHasten { texts.insert("nice \(own.niceness)", at: 0) }
    guard !texts.isEmpty else { return nil }
    return "this runner was started under limits that it cannot lift, and that hold for every job"
      + " (\(texts.joined(separator: ", "))); jobrun runner restart from a shell without them ends that"
  }
}

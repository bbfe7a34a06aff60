/// The topic of a flag, for verbs with too many flags for one list.
enum FlagGroup: String, CaseIterable {
  case everyday = "Everyday"
  case when = "When it starts"
  case limits = "Limits"
  case output = "Input and output"
  case end = "At the end"

  /// Flags under their heading.
  typealias Members = (heading: String, flags: [Flag])

  /// Verbs with fewer flags list them without groups.
  static let fewest = 16

  /// By name, because `submit` and `run` share most of them.
  private static let names: [(FlagGroup, [String])] = [
    (.everyday, ["title", "follow", "detach", "after", "pty", "interactive"]),
    (
      .when,
      [
        "not-before", "earliest", "every", "at", "after-any", "after-one", "exclusive", "priority",
        "hold",
        "strategy", "if-exists",
        "require", "group", "slots", "delay", "on", "partition", "engine-option", "send",
        "fetch", "jobs",
      ]
    ),
    (
      .limits,
      [
        "limit", "warn", "warn-signal", "grace", "silent-after", "stall-after", "on-stall",
        "on-slow", "log-limit",
      ]
    ),
    (
      .end,
      [
        "on-end", "bell", "retries", "retry-on", "retry-memory", "halt", "max-failures",
        "until-success",
        "keep-going", "keep-background", "forget-on-success",
      ]
    ),
  ]

  /// The group of a flag; flags not listed above are about input or output.
  init(_ flag: Flag) {
    self = Self.names.first { $0.1.contains(flag.name) }?.0 ?? .output
  }
}

extension Verb {
  /// The flags in help and man page: under one heading, or in groups if there are many.
  var flagGroups: [FlagGroup.Members] {
    guard flags.count >= FlagGroup.fewest else { return flags.isEmpty ? [] : [("Flags", flags)] }
    return FlagGroup.allCases.compactMap { group in
      let members = flags.filter { FlagGroup($0) == group }
      return members.isEmpty ? nil : (group.rawValue, members)
    }
  }
}

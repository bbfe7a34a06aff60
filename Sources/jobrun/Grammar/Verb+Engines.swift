import JobWire

extension Flag {
  static let engineKind = Flag(
    "kind", .choice(EngineDraft.kinds.map { $0.rawValue }), "with add: what the engine is")
  static let engineThrough = Flag(
    "through", .text("HOST"),
    "with add: its machine, or the login node of a cluster, as ssh takes it (default: this machine)"
  )
  static let enginePreset = Flag(
    "preset", .text("NAME"),
    "with add and --kind batch: \(NearestName.choice(of: BatchSystem.presets.map { $0.name }))")
  static let engineFolder = Flag(
    "folder", .text("DIR"),
    "with add: of a cluster, a folder that all nodes see under the same path")
}

extension Verb {
  static let engines = Verb(
    name: .engines, operands: .upTo([.enginesAction, "ENGINE"]),
    flags: [.engineKind, .enginePreset, .engineThrough, .engineFolder, .json],
    summary: "Show the engines that run jobs on other machines, and check them.",
    details: [
      """
      Engines are set in config.json. A host runs as many jobs at a time as it has slots: \
      {"tower": {"kind": "host", "through": "tower.local", "slots": 8}}. A cluster has the queue \
      of Slurm: {"cluster": {"kind": "slurm", "folder": "/home/me/.jobrun", "partition": "gpu"}}, or \
      of another batch system: {"kind": "batch", "preset": "pbs", "folder": "/home/me/.jobrun"}; all \
      nodes must see the folder under the same path. A pool is several hosts, of which one is \
      chosen for each job: {"boxes": {"kind": "pool", "of": ["here", "tower"]}}. With "through", \
      the engine is reached \
      over ssh, which asks for no password.
      """,
      """
      --on NAME runs a job there. Its progress line, log, questions and exit code are here; until \
      the engine has started it, it is queued and shows the engine's reason. While an engine is \
      unreachable, its jobs keep running, and none is judged stalled or silent.
      """,
      """
      engines check NAME runs a short job there, shows each step with its time, and says what to do \
      about the one that fails. It leaves no job behind. engines queue NAME shows how full a cluster \
      is, and your jobs there, in the words of its batch system.
      """,
      """
      engines add NAME asks what the engine is, where it is and which folder its nodes share, and \
      writes the answers into config.json. Without a terminal the flags answer.
      """,
    ],
    json: """
      One engine per line: {"engine","kind","through","folder","atMost","of","running","waiting"}; with check \
      the job.
      """,
    examples: [
      "engines", "engines check tower", "engines queue cluster",
      "engines add tower --kind host --through tower.local", "run --on tower -- make",
    ],
    knownElsewhereAs: ["hosts", "remotes"])
}

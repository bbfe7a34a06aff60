extension Verb {
  static let engines = Verb(
    name: .engines, operands: .upTo([.enginesAction, "ENGINE"]), flags: [.json],
    summary: "Show what runs jobs beside this machine, and try whether it does.",
    details: [
      """
      Engines stand in config.json. A host runs what it is given, as many at a time as it has slots: \
      {"tower": {"kind": "host", "through": "tower.local", "slots": 8}}. A cluster has a queue of its own, \
      that of Slurm: {"cluster": {"kind": "slurm", "folder": "/home/me/.jobrun", "partition": "gpu"}}; the \
      folder is one that the nodes see under the same path. With through the engine is reached over ssh, \
      which asks for no password.
      """,
      """
      A job goes there with --on NAME. Its line, log, questions and exit code are here; while the engine has \
      it and has not begun it, it is queued, and says why in the engine's words. When the engine does not \
      answer, jobs go on there, and nothing is judged meanwhile.
      """,
      """
      engines check NAME runs one short job there, and says where it ran and how long that took; or why it \
      waits or is refused.
      """,
    ],
    json: """
      One engine per line: {"engine","kind","through","folder","atMost","running","waiting"}; with check \
      the job.
      """,
    examples: ["engines", "engines check tower", "run --on tower -- make"],
    knownElsewhereAs: ["hosts", "remotes"])
}

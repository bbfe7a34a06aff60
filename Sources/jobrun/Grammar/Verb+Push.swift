import JobWire

extension Flag {
  static let data = Flag(
    "data", .text("JSON"),
    "what the program is told, at most 64 KiB of JSON; - reads standard input")
}

extension Verb {
  static let push = Verb(
    name: .push, operands: .one(.bundle), flags: [.data, .jobs, .json],
    summary: "Wake the program of a bundle, as its server would.",
    details: [
      """
      It starts those of the bundle's definitions that have "kind": "push" in their job.json, with the data \
      in the variable JOBRUN_PUSH, and returns at once. "subscribe": "https://…" beside it has the runner \
      listen to server-sent events at that address, each of which is such a push; jobrun register makes \
      that begin, and runner status tells how it stands.
      """,
      """
      A push is told at most once, at a low priority, and may run for 30 s. Of those that come while one \
      waits only the newest is told; JOBRUN_PUSHES says how many it stands for. After a launch the same \
      program is left alone for 10 s.
      """,
      """
      Dropped, with the reason in jobrun feed, is what a bundle has no budget for (the one that its tasks \
      have, which jobrun pending shows, and 20 in a row, then one every 5 min; 75), and what is for one \
      whose background work is switched off (jobrun settings; 69).
      """,
    ],
    json: "The job of each definition that was woken, or that waits.",
    examples: ["push org.example.mail", "push org.example.mail --data '{\"unread\": 3}'"],
    knownElsewhereAs: ["wake", "notify"])
}

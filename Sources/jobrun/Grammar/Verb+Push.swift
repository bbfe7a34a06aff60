import JobWire

extension Flag {
  static let data = Flag(
    "data", .text("JSON"),
    "data for the program, at most 64 KiB of JSON; - reads standard input")
}

extension Verb {
  static let push = Verb(
    name: .push, operands: .one(.bundle), flags: [.data, .jobs, .json],
    summary: "Wake the program of a bundle, as its server would.",
    details: [
      """
      Each definition of the bundle with "kind": "push" in its job.json is started, or the app whose \
      Info.plist has "remote-notification" among its UIBackgroundModes, with the data in \
      JOBRUN_PUSH; the command returns at once. With "subscribe": "https://…" beside it, the \
      runner listens to server-sent events at that address, and each event is such a push; jobrun \
      register starts the subscription, and runner status shows its state.
      """,
      """
      A push is delivered at most once, at low priority, and its job may run for 30 s. In a burst \
      only the newest is delivered; JOBRUN_PUSHES is the number of merged pushes. After a launch, \
      the same program is not started again for 10 s.
      """,
      """
      A push is dropped, with the reason in jobrun feed, if the bundle has used up its budget \
      (75; jobrun pending shows it; at most 20 pushes in a row, then one every 5 min), or if its \
      background work is switched off (69; jobrun settings).
      """,
    ],
    json: "The started or waiting job of each definition.",
    examples: ["push org.example.mail", "push org.example.mail --data '{\"unread\": 3}'"],
    knownElsewhereAs: ["wake", "notify"])
}

extension Verb {
  /// Many jobs of one submission.
  static let each =
    Verb(
      name: .each, operands: .command, argumentName: "ARG … ::: INPUT", flags: Flag.ofBatches,
      summary: "Run a command once for each input, as many jobs of one submission.",
      details: [
        """
        On a terminal one line shows all of them. Ctrl-C cancels what is left (again: kills it now), d \
        leaves them running where the inputs are not piped in. Closing the terminal leaves them running, too.
        """,
        """
        {} in the command is the job's input; without any {} it comes last. Inputs follow :::, files with \
        one input a line follow :::: (- is standard input); without either they are read from standard \
        input. With several ::: each input of one is combined with each of the others; then {1} is the \
        first, {2} the second, and {} all of them. :::+ takes one of its list for each of the one before.
        """,
        """
        {.} is the input without its extension, {/} its last part, {//} its folder, {/.} its last part \
        without extension, {1.} and so on the same of one of several, {#} the job's number among all, {%} \
        its slot. Without inputs nothing runs, which is a success unless --require-input is given.
        """,
        """
        All jobs are accepted in one step, or none (69 if more than a million would wait, or their inputs \
        had more than 64 MiB). They have the numbers that are printed, from the first to the last, and \
        share slots with all other jobs without a group; --slots 3 gives them three of their own. A title without {} gets it at its end, but not with --hide-command, which shows of the inputs \
        only what --title asks for.
        """,
        after, priorities,
        """
        The exit code is 0 when all succeeded, else that of the first job that failed; 130 means that they \
        were cancelled, 122 that you left and they go on.
        """,
      ],
      json: """
        An object with the first number and the count, then the events of the jobs from when the runner is \
        listened to (what comes before that, or while it is away, is only counted), and at the end how many \
        succeeded, failed, were cancelled and are not known any more; with --detach the first of these.
        """,
      examples: [
        "each -- gzip -9 {} ::: *.log", "each --title Render -- blender -b {} -a :::: scenes.txt",
        "each -- ./train --lr {1} --seed {2} ::: 0.1 0.01 ::: 1 2 3",
        "each --slots 4 --resume -- ./convert {} {/.}.png ::: *.raw",
      ],
      knownElsewhereAs: ["xargs", "map", "foreach", "array", "sweep"])

  /// Many different jobs of one submission.
  static let submitFile = Verb(
    name: .submitFile, operands: .one("FILE"),
    flags: [.title, .detach, .after, .afterAny, .afterOne, .plain, .quiet, .id, .json],
    summary: "Submit all jobs of a file, with what comes after what, as one submission.",
    details: [
      """
      FILE (- is standard input) has a JSON object a line, with a command (a list of words, or a text for \
      sh) and, where they are wanted, name, title, subtitle, after and afterAny (names of others in the \
      file, wherever they stand), require, group, priority, limit, grace, retries, slots and exclusive. All \
      jobs are accepted or none; an error names its line (64). They run in this folder.
      """,
      """
      {"name": "a", "command": ["./make", "a"]}, and on another line \
      {"command": "./join a b", "after": ["a", "b"]}
      """,
      codes,
    ],
    json: "The same as with each.",
    examples: ["submit-file jobs.jsonl --detach"],
    knownElsewhereAs: ["workflow", "dag", "job-file"])

  /// How many jobs of a group run at the same time.
  static let group = Verb(
    name: .group, operands: .optional(.group),
    flags: [.groupSlots, .pauseGroup, .resumeGroup, .json],
    summary: "Show the groups, or set how many jobs of one may run, and whether any starts.",
    details: [
      """
      Jobs that are submitted with --group NAME wait for the slots of that group and for no others. A \
      group needs no beginning and no end; as long as nobody says so, it has as many slots as all jobs \
      without a group have together. Without NAME all groups are shown.
      """,
      """
      --pause keeps what waits from starting, until --resume; that lasts, also when the runner ends. jobrun \
      pause group:NAME does so, too, and pauses what runs.
      """,
    ],
    json: "An object with group, slots, running, queued and paused for each.",
    examples: ["group", "group render --slots 1", "group render --pause"],
    knownElsewhereAs: ["groups", "pool", "partition"])
}

extension Verb {
  /// Many jobs of one submission.
  static let each =
    Verb(
      name: .each, operands: .command, argumentName: "ARG … ::: INPUT", flags: Flag.ofBatches,
      summary: "Run a command once for each input, as many jobs of one submission.",
      details: [
        """
        On a terminal, one line shows all of them. Ctrl-C cancels the remaining jobs (again: kills \
        them now), d leaves them running unless the inputs are piped in. Closing the terminal \
        leaves them running, too.
        """,
        """
        {} in the command is the input of the job; without {} it is added at the end. Inputs \
        follow :::, and files with one input per line follow :::: (- is standard input); without \
        either, inputs are read from standard input. With several :::, each input of one is \
        combined with each of the others; {1} is the first, {2} the second, and {} all of them. \
        :::+ pairs its list with the one before.
        """,
        """
        {.} is the input without its extension, {/} its last part, {//} its folder, {/.} its last \
        part without extension; {1.} and so on are the same for one of several inputs. {#} is the \
        job's position in the submission, {%} its slot. Without inputs nothing runs, which is a \
        success unless --require-input is given.
        """,
        """
        All jobs are accepted in one step, or none is (69 if more than a million would wait, or if \
        the inputs have more than 64 MiB). The first and the last job number are printed. The jobs \
        share slots with all other jobs without a group; --slots 3 gives them three of their own. \
        A title without {} or another of these gets the input at its end, unless --hide-command is \
        given; then only the inputs in --title are shown.
        """,
        after, priorities,
        """
        The exit code is 0 if all succeeded, or one with --until-success, otherwise that of the \
        first job that failed; 130 means that they were cancelled, 122 that you left and they are \
        still running.
        """,
      ],
      json: """
        An object with the first number and the count, then the events of the jobs from the moment \
        the command listens to the runner (earlier ones are only counted), and at the end the \
        number of jobs that succeeded, failed, were cancelled or are no longer known; with \
        --detach only the first object.
        """,
      examples: [
        "each -- gzip -9 {} ::: *.log", "each --title Render -- blender -b {} -a :::: scenes.txt",
        "each -- ./train --lr {1} --seed {2} ::: 0.1 0.01 ::: 1 2 3",
        "each --slots 4 --resume -- ./convert {} {/.}.png ::: *.raw",
        "each -f --tag -- ./check {} ::: *.dat",
      ],
      knownElsewhereAs: ["xargs", "map", "foreach", "array", "sweep"])

  /// Many different jobs of one submission.
  static let submitFile = Verb(
    name: .submitFile, operands: .one("FILE"),
    flags: [.title, .detach, .after, .afterAny, .afterOne, .plain, .quiet, .id, .json],
    summary: "Submit all jobs of a file, with their dependencies, as one submission.",
    details: [
      """
      FILE (- is standard input) has one JSON object per line, with a command (a list of words, or \
      a text for sh) and optionally name, title, subtitle, after, afterAny and afterOne (names of \
      other lines, in any order), cwd, env (an object), stdin, stdout, stderr, require, group, \
      priority, limit, grace, retries, slots and exclusive. All jobs are accepted or none; an \
      error names its line (64). They run in the current folder unless cwd is given. #JOBRUN lines of a script are not read; give its options in FILE.
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
    summary: "Show the groups; set the slots of one, pause or resume it.",
    details: [
      """
      Jobs with --group NAME wait for the slots of that group and for no others. Groups are \
      created on first use; until you set its slots, a group has as many as all jobs without a \
      group share. Without NAME, all groups are shown.
      """,
      """
      --pause keeps the waiting jobs of the group from starting until --resume, even if the runner \
      ends. jobrun pause group:NAME also pauses its running jobs.
      """,
    ],
    json: "An object with group, slots, running, queued and paused for each.",
    examples: ["group", "group render --slots 1", "group render --pause"],
    knownElsewhereAs: ["groups", "pool", "partition"])
}

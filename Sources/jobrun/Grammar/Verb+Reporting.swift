extension Verb {
  static let definitions: [Verb] = [
    Verb(
      name: .jobs, operands: .none, flags: [.jobs, .json],
      summary: "Show the jobs that are defined, and where they were looked for.",
      details: ["jobrun help NAME explains one of them."],
      json: """
        One definition per line: \
        {"name","identifier","title","subtitle","about","usage","arguments","command", \
        "requires","bundle","folder"}, and in arguments {"name","required","about"}.
        """,
      knownElsewhereAs: ["definitions", "bundles"]),
    Verb(
      name: .new, operands: .one(Operand("NAME", .free)), flags: [.language, .package, .json],
      summary: "Write a definition that works at once, for you to change.",
      details: [
        """
        It goes into the nearest jobs folder with a bundle.json, at or above the current folder; if \
        there is none, ./jobs becomes one. Then jobrun submit NAME runs it.
        """,
        """
        A job in Swift is a package. "build" in its job.json says how to build it, which jobrun submit and \
        schedule do when the executable is missing or a source is newer.
        """,
      ],
      json: """
        {"name":"backup","folder":"…"}.
        """,
      examples: ["new backup", "new squares --language python"],
      knownElsewhereAs: ["init", "create", "template"]),
    Verb(
      name: .register, operands: .one("DIR"), flags: [.json],
      summary: "Make the jobs of a bundle known everywhere, not only below its folder.",
      json: "One definition per line, as with jobs.",
      examples: ["register ./jobs"],
      knownElsewhereAs: ["install"]),
    push,
    Verb(
      name: .resources, operands: .none, flags: [.json],
      summary: "Show what this machine has, how much of it is taken, and how that is known.",
      json: """
        {"gpu","power","network","memory","disk","processors","slots",…}, each with its why.
        """,
      knownElsewhereAs: ["gpus", "machine"]),
  ]

  static let reporting: [Verb] = [
    Verb(
      name: .progress, operands: .none,
      flags: [
        .completed, .advance, .total, .unit, .title, .subtitle, .quietFor, .strict, .json,
      ],
      summary: "Report progress from inside a job, in any language.",
      details: [
        """
        It writes to the page that JOBRUN_PAGE names. Where that is not set, outside a job, it does \
        nothing, so that a script can be run by hand; --strict makes that an error (64).
        """,
        """
        Once the job has been told to stop, it exits with 130, which ends a script with set -e; without \
        that, write jobrun progress --advance 1 || exit.
        """,
      ],
      json: "The progress after the report, as in a job.",
      examples: ["progress --total 120 --unit items", "progress --advance 1 --subtitle a.txt"]),
    Verb(
      name: .completions, operands: .one(.shell), takesArguments: true, argumentName: "WORD",
      flags: [.json], summary: "Print the completion script for a shell.",
      details: [
        """
        SHELL is bash, zsh or fish. make install puts all three in place; without it: \
        eval "$(jobrun completions bash)" in ~/.bashrc, the same with zsh in ~/.zshrc after \
        compinit, jobrun completions fish | source in config.fish.
        """,
        """
        With words after --, print what may complete the last of them: a word per line, its meaning \
        after a tab. The scripts call this.
        """,
      ],
      json: """
        {"shell","script"}; with words after --, {"word","summary"} for each that may stand \
        there.
        """,
      examples: ["completions bash", "completions fish -- submit --strategy q"]),
    Verb(
      name: .help, operands: .optional(.topic), flags: [.man, .jobs, .json],
      summary: "Explain jobrun: a verb, a job that is defined, or a topic of the manual.",
      details: [
        "jobrun help verbs explains each verb in a line, jobrun help topics lists the pages of the manual.",
        "If names are the same, a verb goes before a topic, and a topic before a job.",
      ],
      json: """
        One verb per line: {"verb","usage","summary","details","json","flags","examples"}; for a \
        definition, what jobs prints; for a topic, {"topic","title","text"}.
        """,
      examples: ["help run", "help export", "help groups"],
      knownElsewhereAs: ["man"]),
  ]
}

extension Verb {
  static let definitions: [Verb] = [
    Verb(
      name: .jobs, operands: .none, flags: [.jobs, .json],
      summary: "Show the defined jobs, and the folders that were searched.",
      details: ["jobrun help NAME explains one of them."],
      json: """
        One definition per line: \
        {"name","identifier","title","subtitle","about","usage","arguments","command", \
        "requires","bundle","folder"}, and in arguments {"name","required","about"}.
        """,
      examples: ["jobs"],
      knownElsewhereAs: ["definitions", "bundles"]),
    Verb(
      name: .new, operands: .one(Operand("NAME", .free)), flags: [.language, .package, .json],
      summary: "Write a working definition to start from.",
      details: [
        """
        The definition is written to the nearest jobs folder with a bundle.json, in the current \
        folder or above it; if there is none, ./jobs is created. Then jobrun submit NAME runs it.
        """,
        """
        A job in Swift is a package. "build" in its job.json is the command that builds it; jobrun \
        submit and schedule run it if the executable is missing or older than its sources.
        """,
      ],
      json: """
        {"name":"backup","folder":"…"}.
        """,
      examples: ["new backup", "new squares --language python"],
      knownElsewhereAs: ["init", "create", "template"]),
    Verb(
      name: .register, operands: .one("DIR"), flags: [.json],
      summary: "Make the jobs of a bundle available everywhere, not only below its folder.",
      details: [
        """
        DIR holds a bundle.json, or the Info.plist of an app, beside its executable: jobrun push \
        then starts the app, if "remote-notification" is among its UIBackgroundModes and \
        CFBundleExecutable is the name of the executable.
        """
      ],
      json: "One definition per line, as with jobs.",
      examples: ["register ./jobs"],
      knownElsewhereAs: ["install"]),
    push,
    Verb(
      name: .resources, operands: .none, flags: [.ofEngine, .json],
      summary: "Show the resources of this machine, their use, and the sources of these figures.",
      details: ["With --on, it shows a host, or all machines of a pool, no more than 10 s old."],
      json: """
        {"gpu","power","network","memory","disk","processors","slots",…}, each with its why. With \
        --on a line for each machine, with the same as its resources.
        """,
      examples: ["resources", "resources --on boxes"],
      knownElsewhereAs: ["gpus", "machine"]),
  ]

  static let reporting: [Verb] = [
    Verb(
      name: .progress, operands: .none,
      flags: [
        .completed, .advance, .total, .unit, .title, .subtitle, .message, .notify, .quietFor,
        .strict,
        .json,
      ],
      summary: "Report progress from inside a job, in any language.",
      details: [
        """
        The report is written to the page that JOBRUN_PAGE names. Outside a job, where it is not \
        set, nothing happens, so that a script can be run by hand; --strict makes that an error \
        (64).
        """,
        """
        After the job has been told to stop, the command exits with 130, which ends a script with \
        set -e; without that, write jobrun progress --advance 1 || exit.
        """,
      ],
      json: "The progress after the report, as in a job.",
      examples: [
        "progress --total 120 --unit items", "progress --advance 1 --subtitle a.txt",
        "progress --message 'half of it is done' --notify",
      ]),
    Verb(
      name: .completions, operands: .one(.shell), takesArguments: true, argumentName: "WORD",
      flags: [.json], summary: "Print the completion script for a shell.",
      details: [
        """
        SHELL is bash, zsh or fish. make install installs all three scripts. Without it, write \
        eval "$(jobrun completions bash)" in ~/.bashrc, the same with zsh in ~/.zshrc after \
        compinit, or jobrun completions fish | source in config.fish.
        """,
        """
        With words after --, print the completions of the last one: a word per line, then a tab \
        and its meaning. The scripts call this.
        """,
      ],
      json: """
        {"shell","script"}; with words after --, {"word","summary"} for each that may stand \
        there.
        """,
      examples: ["completions bash", "completions fish -- submit --strategy q"]),
    Verb(
      name: .help, operands: .optional(.topic), flags: [.man, .jobs, .json],
      summary: "Explain a verb, a defined job, or a topic of the manual.",
      details: [
        "jobrun help verbs explains each verb in a line, jobrun help topics lists the pages of the manual.",
        "If names are equal, a verb comes before a topic, and a topic before a job.",
      ],
      json: """
        One verb per line: {"verb","usage","summary","details","json","flags","examples"}; for a \
        definition, what jobs prints; for a topic, {"topic","title","text"}.
        """,
      examples: ["help run", "help export", "help groups"],
      knownElsewhereAs: ["man"]),
  ]
}

extension Verb {
  static let picturing: [Verb] = [
    Verb(
      name: .web, operands: .none, flags: [.port, .readOnly, .json],
      summary: "Serve a page with all jobs, live, for a browser.",
      details: [
        """
        It prints an address and serves the page until Ctrl-C; all jobs keep running. Anyone with \
        the whole address can see the jobs, answer their questions, pause and cancel them. Only \
        this machine can reach it: from another one, open a tunnel first with the ssh -L command \
        that it prints, then the same address.
        """,
        "With --read-only, the page cannot change anything. A port that is in use is an"
          + " error (73); --port 0 picks a free one.",
      ],
      json: """
        {"address","port","tunnel"} once it serves.
        """,
      examples: ["web", "web --port 0 --read-only"],
      knownElsewhereAs: ["serve", "ui", "browser", "gui"]),
    Verb(
      name: .report, operands: .upTo([.anyJob]), flags: [.reportSince, .json],
      summary: "Write jobs and their progress over time as one HTML file, to keep or to mail.",
      details: [
        """
        The report goes to standard output; its pictures need no script, and nothing is loaded \
        from the network. Without ID it has the live jobs, and those that ended since --since \
        (24h). The jobs of one submission (jobrun each) are one row that can be opened.
        """,
        "group:NAME means all stored jobs of a group; it cannot be combined with other jobs.",
      ],
      json: """
        {"job","points"} for each job: the job, and of its progress "at", "attempt", "completed", \
        "total", "unit", "fraction" and "mark", at most 256 times.
        """,
      examples: [
        "report 12 > trip.html", "report group:render > render.html",
        "report --since monday > week.html",
      ],
      knownElsewhereAs: ["plot", "graph", "chart", "timeline"]),
  ]
}

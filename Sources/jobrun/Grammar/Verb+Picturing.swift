extension Verb {
  static let picturing: [Verb] = [
    Verb(
      name: .web, operands: .none, flags: [.port, .readOnly, .json],
      summary: "Serve a page with all jobs, live, for a browser.",
      details: [
        """
        It prints one address; whoever has all of it sees the jobs, answers their questions, pauses and \
        cancels them, until Ctrl-C. All jobs go on. Only this machine can reach it: from another one make \
        a tunnel first, by the ssh -L that it prints, and open the same address there.
        """,
        "--read-only only shows. A port that is taken is an error (73); --port 0 takes one that is free.",
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
        It goes to standard output: pictures without a script, nothing is fetched from anywhere. Without \
        ID, it has the jobs that have not ended, and those that ended since --since (24h). Those of \
        one submission (jobrun each) are one line that opens.
        """,
        "group:NAME, which stands alone, stands for all jobs of a group that are kept.",
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

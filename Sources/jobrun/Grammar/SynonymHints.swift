/// The terms of pueue, task-spooler, Slurm and others, with their equivalents here.
///
/// Only suggested, never accepted: the same word may mean different things in two of them. Other names of a
/// verb are listed with that verb (`Verb.knownElsewhereAs`).
enum SynonymHints {
  private static let command = "jobrun run -- COMMAND"

  /// The suggestion for an unknown verb.
  static func hint(forVerb word: String) -> String? {
    verbs.first { $0.words.contains(word) }.map { advice($0.hint) }
  }

  /// The suggestion for an unknown flag of this verb.
  static func hint(forFlag name: String, of verb: Verb) -> String? {
    let table =
      switch verb.name {
      case .submit, .run, .schedule: starting
      case .each: batching + starting
      case .cancel: cancelling
      default: looking
      }
    // A flag of ours is only suggested where this verb has it.
    return table.first { entry in
      entry.words.contains(name) && (entry.flag.map { verb.flag(named: $0) != nil } ?? true)
    }.map { advice($0.hint) }
  }

  /// The suggestion for a line that begins with a flag, as all of task-spooler's do.
  static func hint(forFirst name: String) -> String? {
    first.first { $0.words.contains(name) }.map { advice($0.hint) }
  }

  /// `use jobrun list`; other hints already are sentences.
  static func advice(_ hint: String) -> String {
    hint.hasPrefix("jobrun ") || hint.hasPrefix("-") ? "use \(hint)" : hint
  }

  /// Every word in place of a verb.
  static var verbWords: [String] { verbs.flatMap { $0.words } }

  private typealias Entry = (words: [String], hint: String)
  /// `flag`: the flag in the hint, if the verb must have it.
  private typealias FlagEntry = (words: [String], flag: String?, hint: String)

  private static let verbs: [Entry] = [
    (["add", "nohup", "bg", "exec", "ts", "tsp", "nq"], command),
    (["sbatch", "qsub", "bsub"], "jobrun run --detach -- COMMAND"),
    (["srun"], command), (["make"], "jobrun run -- make"),
    (
      ["rm", "remove", "delete"],
      "jobrun cancel ID while it runs or waits, jobrun forget ID once it has ended"
    ),
    (["clear", "reset"], "jobrun forget --all"),
    (["defer"], "jobrun run --not-before 22:30 -- COMMAND"),
    (["enqueue"], "\(command), or jobrun release ID for a job that is held"),
    (["atrm"], "jobrun cancel ID"),
    (["sinfo", "nodes"], "jobrun resources"),
    (["scontrol"], "jobrun show ID, jobrun hold ID, jobrun release ID or jobrun edit ID"),
    (["sstat", "qstat", "bjobs", "queue"], "jobrun list"),
    (["qdel", "bkill", "pkill"], "jobrun cancel ID"),
    (["upload", "scp", "send"], "jobrun submit upload -- FILE URL"),
    (["download", "fetch", "wget", "curl", "aria2c"], "jobrun submit download -- URL"),
    (["switch", "up"], "jobrun move ID --first, or --after ID"),
    (["priority", "urgent", "nice"], "jobrun edit ID --priority high"),
    (["pueue"], command),
    (["parallel"], "jobrun each for one job an input, or jobrun slots N for how many run at once"),
    (["version"], "jobrun --version"),
  ]

  private static let starting: [FlagEntry] = [
    (["name", "label", "job-name", "L", "J", "l", "description", "unit"], "title", "--title TEXT"),
    (["delay", "begin", "D", "at"], "not-before", "--not-before +10m, or 22:30"),
    (["d"], "detach", "--detach to leave it, or --after ID to let it wait for another"),
    (["dependency", "depends", "a", "W", "afterok"], "after", "--after ID"),
    (["time", "timeout", "t", "max-time"], "limit", "--limit 2h"),
    (["gres", "gpus", "gpu", "G"], "require", "--require gpu=1"),
    (["mem", "memory"], "require", "--require memory=4G"),
    (["cpus", "cpu", "cpus-per-task", "c"], "require", "--require cpu=4"),
    (["N", "num-slots", "weight"], "slots", "--slots N"),
    (["N"], "require", "--require cpu=4"),
    (["mail-type", "mail-user", "mail", "m", "notify"], "on-end", "--on-end COMMAND"),
    (["nice", "lowprio"], "priority", "--priority low"),
    (["urgent", "qos", "u"], "priority", "--priority high"),
    (["stashed", "H"], "hold", "--hold"),
    (["g", "partition", "p", "queue", "q"], "group", "--group NAME"),
    (["max-retries"], "retries", "--retries 3"),
    (["array"], nil, "jobrun each -- COMMAND {} ::: A B C"),
    (["background", "bg", "b", "no-wait"], "detach", "--detach"),
    (["immediate", "now", "i", "B", "nonblock"], "strategy", "--strategy fail"),
    (["requeue", "retry", "r"], "retries", "--retries 3"),
    (["requeue", "retry", "r"], nil, "jobrun redo ID, once it has failed"),
    (["tty"], "pty", "--pty"),
    (["verbose", "v", "tail"], "follow", "-f, which shows what the job prints"),
    (
      ["output", "o", "logfile"], "stdout",
      "--stdout FILE; jobrun log ID has all that the job prints"
    ),
    (["error", "e"], "stderr", "--stderr FILE; jobrun log ID has all that the job prints"),
    (["no-output"], "log", "--log none"),
    (["chdir", "workdir", "working-directory", "w", "C"], "cwd", "--cwd DIR"),
    (["export", "E", "setenv"], "env", "--env NAME=VALUE"),
  ]

  /// The flags of xargs and parallel.
  private static let batching: [FlagEntry] = [
    (
      ["j", "jobs", "P", "max-procs", "parallel", "max-parallel"], "slots",
      "--slots N, which runs N of them at once"
    ),
    (
      ["n", "N", "max-args", "max-replace-args", "L", "max-lines"], nil,
      "each job gets one input; what belongs together is one, as in sh -c '… \"$1\"' _ {}"
    ),
    (["I", "i", "replace"], nil, "write {} in the command for the input"),
    (["a", "arg-file"], nil, "write :::: FILE behind the command for inputs in a file"),
    (["d"], "delimiter", "--delimiter ,"),
    (["C", "colsep"], "columns", "--columns ,"),
    (["dryrun", "n"], "dry-run", "--dry-run"),
    (["resume-failed", "joblog"], "resume", "--resume"),
    (["max-fails", "maxfail"], "max-failures", "--max-failures N"),
    (["r", "no-run-if-empty"], nil, "nothing: without inputs nothing runs, which is a success"),
    (["link", "xapply"], nil, ":::+ in place of :::, which takes one of each list"),
    (
      ["k", "keep-order", "group", "ungroup", "u"], "follow",
      "-f, which prints the output of each job whole, in the order of the inputs"
    ),
    (["bar", "eta"], nil, "a terminal shows how far all of them are without a flag"),
  ]

  private static let cancelling: [FlagEntry] = [
    (["9", "KILL", "kill", "force", "f"], "now", "--now, which kills at once"),
    (["s"], "signal", "--signal INT"), (["m", "message", "why"], "reason", "--reason TEXT"),
    (["a"], "all", "--all"), (["g", "group", "p", "partition"], nil, "jobrun cancel group:NAME"),
  ]

  private static let looking: [FlagEntry] = [
    (["a"], "all", "--all"),
    (["tail", "n", "lines", "l"], "lines", "-n 50"),
    (["n", "count", "max"], "limit", "--limit 50"),
    (["t", "F", "tail"], "follow", "-f"),
    (["g", "p", "partition", "queue"], "group", "--group NAME"),
    (["g", "group", "p", "partition"], nil, "group:NAME in place of a job's name"),
    (["o", "columns", "fields"], "format", "--format number,state,title"),
    (["starttime", "S", "after", "from"], "since", "--since yesterday"),
    (["endtime", "E", "before", "to"], "until", "--until yesterday"),
    (["state", "status"], "outcome", "--outcome failed"),
    (["name", "label", "grep"], "title", "--title TEXT"),
  ]

  private static let first: [Entry] = [
    (["l", "s"], "jobrun list"), (["C"], "jobrun forget --all"), (["K"], "jobrun runner stop"),
    (["c", "o"], "jobrun log ID"), (["t"], "jobrun log ID -f"), (["i", "p"], "jobrun show ID"),
    (["r", "k"], "jobrun cancel ID"), (["T"], "jobrun cancel --all"), (["w"], "jobrun wait ID"),
    (["L", "name", "label"], "jobrun run --title TEXT -- COMMAND"),
    (["d"], "jobrun run --after @ -- COMMAND"), (["D", "W"], "jobrun run --after ID -- COMMAND"),
    (["B"], "jobrun run --strategy fail -- COMMAND"),
    (["N"], "jobrun run --slots N -- COMMAND"),
    (["n", "f", "title", "detach"], command), (["V", "v"], "jobrun --version"),
    (["S", "j", "jobs", "slots"], slots), (["u"], "jobrun move ID --first"),
    (["U"], "jobrun move ID --after ID"),
  ]

  /// The verb if it exists, otherwise a setting.
  private static var slots: String {
    Verb.Name(rawValue: "slots") == nil
      ? "\"slots\": 4 in config.json says how many jobs run at once (man jobrun)" : "jobrun slots N"
  }
}

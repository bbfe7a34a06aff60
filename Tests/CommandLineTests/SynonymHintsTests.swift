import JobWire
import Testing

@testable import jobrun

/// Users of pueue, task-spooler or Slurm get the equivalent command.
struct SynonymHintsTests {
  @Test(arguments: [
    ("add -- ls", "use jobrun run -- COMMAND"), ("enqueue ls", "use jobrun run -- COMMAND"),
    ("sbatch job.sh", "use jobrun run --detach -- COMMAND"), ("squeue", "use jobrun list"),
    ("scancel 3", "use jobrun cancel"), ("sacct", "use jobrun history"),
    ("rm 3", "jobrun cancel ID while it runs"), ("kill 3", "use jobrun cancel"),
    ("clean", "use jobrun forget"), ("suspend 3", "use jobrun pause"),
    ("-L build make", "use jobrun run --title TEXT -- COMMAND"), ("-C", "use jobrun forget"),
    ("-K", "use jobrun runner stop"), ("-t 3", "use jobrun log ID -f"),
    ("run --name x ls", "use --title TEXT"), ("run -L x ls", "use --title TEXT"),
    ("run --job-name=x ls", "use --title TEXT"), ("run -J x ls", "use --title TEXT"),
    ("run --dependency afterok:3 ls", "use --after ID"), ("run -d ls", "--detach"),
    ("run --gres gpu:1 ls", "use --require gpu=1"), ("run --mem 4G ls", "use --require memory=4G"),
    ("run --time 2:00 ls", "use --limit 2h"), ("run -B ls", "use --strategy fail"),
    ("run --delay 10m ls", "use --not-before +10m"), ("run --output x ls", "use --stdout FILE"),
    ("run --chdir /tmp ls", "use --cwd DIR"), ("schedule vacuum --name x", "use --title TEXT"),
    ("cancel -9 3", "use --now"), ("cancel -s INT 3", "use --signal INT"),
    ("log 3 --tail 5", "use -n 50"), ("log 3 -t", "use -f"),
    ("list -a", "use --all"), ("history --state failed", "use --outcome failed"),
    ("history --starttime now", "use --since yesterday"), ("jobs -o name", "jobrun help jobs"),
    ("wget https://example.org/x", "use jobrun submit download -- URL"),
    ("make -j8", "jobrun run -- make"), ("switch 3 4", "use jobrun move ID --first"),
    ("stash 3", "use jobrun hold"), ("unstash 3", "use jobrun release"),
    ("enqueue 3", "jobrun release ID"), ("-u 3", "use jobrun move ID --first"),
    ("scontrol hold 3", "jobrun hold ID"), ("run --nice ls", "use --priority low"),
    ("run --stashed ls", "use --hold"), ("renice 3", "use jobrun edit"),
    ("run -g render ls", "use --group NAME"), ("run -p big ls", "use --group NAME"),
    ("run --array 1-9 ls", "use jobrun each"), ("cancel -g render", "use jobrun cancel group:NAME"),
    ("groups", "use jobrun group"), ("partition", "use jobrun group"),
    ("run --cpus 4 ls", "use --require cpu=4"),
    ("-N 4", "use jobrun run --slots N"), ("run -N 4 ls", "use --slots N"),
    ("each -n 2 -- echo ::: a", "each job gets one input"),
    ("each -j 2 -- echo ::: a", "use --slots N"),
    ("each -P 2 -- echo ::: a", "use --slots N"),
    ("each --jobs 2 -- echo ::: a", "use --slots N"),
    ("each -I % -- echo ::: a", "write {} in the command"),
    ("each --max-procs=2 -- echo ::: a", "use --slots N"),
    ("each -k -- echo ::: a", "use -f, which prints"),
    ("each --colsep , -- ls", "use --columns ,"),
    ("each --max-fails 2 -- ls", "use --max-failures N"), ("each --dryrun -- ls", "use --dry-run"),
    ("each -a list -- echo", ":::: FILE"),
    ("each --name x -- echo ::: a", "use --title TEXT"),
    ("each --mem 4G -- echo ::: a", "use --require memory=4G"),
    ("each -Q -- echo ::: a", "jobrun help each lists its flags"),
    ("histroy", "did you mean history?"),
    ("run --titel x ls", "did you mean --title?"), ("--al", "see jobrun help"),
  ])
  func `the right word is named for`(line: String, hint: String) throws {
    let error = try #require(throws: WireError.self) {
      try Invocation.parse(line.split(separator: " ").map { Argument(String($0)) })
    }
    #expect(error.code == .usage)
    #expect(error.message.contains(hint), "\(error.message)")
  }

  @Test(arguments: [
    ("export", "use jobrun submit export"), ("export a b", "use jobrun submit export -- a b"),
    ("export --detach -- a", "use jobrun submit export --detach -- a"),
    ("mail", "use jobrun push org.example.mail"), ("sleep 1", "use jobrun run -- sleep 1"),
    ("./build all", "use jobrun run -- ./build all"), ("sleep", "use jobrun run -- sleep"),
    ("lsit", "did you mean list?"), ("ps", "use jobrun list"),
    ("sleep " + String(repeating: "x ", count: 40), "use jobrun run -- sleep …"),
  ])
  func `what can be started is named with the verb that does`(line: String, hint: String) throws {
    let error = try #require(throws: WireError.self) {
      try Invocation.parse(line.split(separator: " ").map { Argument(String($0)) }) { word in
        switch word {
        case "export": .definition(start: "submit export")
        case "mail": .definition(start: "push org.example.mail")
        case "sleep", "ps", "./build": .program
        default: nil
        }
      }
    }
    #expect(error.message.hasSuffix(hint), "\(error.message)")
  }

  @Test func `no hint names a flag or a verb that there is not`() throws {
    for verb in Verb.all {
      for word in [
        "name", "d", "delay", "time", "gpus", "mem", "B", "r", "tail", "n", "a", "o", "S",
      ] {
        guard verb.flag(named: word) == nil,
          let hint = SynonymHints.hint(forFlag: word, of: verb), hint.hasPrefix("use --")
        else { continue }
        let flag = hint.dropFirst("use --".count).prefix { $0.isLetter || $0 == "-" }
        #expect(verb.flag(named: String(flag)) != nil, "\(verb.name): \(hint)")
      }
    }
    for word in SynonymHints.verbWords {
      guard let hint = SynonymHints.hint(forVerb: word), hint.hasPrefix("use jobrun ") else {
        continue
      }
      let name = hint.dropFirst("use jobrun ".count).prefix { $0.isLetter || $0 == "-" }
      #expect(Verb.Name(rawValue: String(name)) != nil || name == "--version", "\(word): \(hint)")
    }
  }
}

import JobWire
import TestKit
import Testing

@testable import jobrun

/// The kinds of words that complete an unfinished line.
struct CompletionRequestTests {
  private func wanted(_ line: String) -> CompletionRequest.Wanted {
    CompletionRequest(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
      .wanted
  }

  @Test(arguments: [
    ("", CompletionRequest.Wanted.verbs), ("sub", .verbs), ("nonsense x", .nothing),
    ("submit ", .source(.definitions)), ("submit export ", .nothing),
    ("submit export -- ", .source(.files)),
    ("submit export --strategy ", .source(.words(["queue", "fail"]))),
    ("submit export --title ", .source(.free)), ("submit --grace 3s e", .source(.definitions)),
    ("submit export --require gp", .requirements),
    ("submit --silent-after ", .source(.words(["never"]))),
    ("run ", .command(from: 1)), ("run -f --title x ma", .command(from: 4)),
    ("run -- make ", .command(from: 2)), ("run make -", .command(from: 1)),
    ("cancel 3 ", .source(.jobs(.live))), ("wait 1 2 --any ", .source(.jobs(.live))),
    ("submit export --after 3,", .source(.jobs(.live))), ("run --after ", .source(.jobs(.live))),
    ("redo ", .source(.jobs(.ended))), ("move 1 ", .nothing), ("move ", .source(.job(.waiting))),
    ("release ", .source(.jobs(.held))), ("hold ", .source(.jobs(.waiting))),
    ("pause ", .source(.jobs(.running))), ("resume ", .source(.jobs(.paused))),
    ("continue ", .source(.jobs(.asking))), ("history --title ", .source(.titles)),
    ("list --group ", .source(.groups)),
    ("list --state queued,", .source(.words(JobStatus.State.allCases.map(\.rawValue)))),
    ("show 1 ", .source(.jobs(.all))),
    ("runner ", .source(.words(RunnerAction.allCases.map(\.rawValue)))),
    ("register ", .source(.folders)),
    ("jobs --jobs ", .source(.folders)), ("history --definition ", .source(.definitions)),
    ("completions ", .source(.words(["bash", "zsh", "fish"]))), ("help re", .source(.topics)),
    ("submit export -- --fo", .argumentFlags(of: "export")),
  ])
  func `the last word is`(line: String, expected: CompletionRequest.Wanted) {
    #expect(wanted(line) == expected)
  }

  @Test func `flags that were given are not offered again, requirements are`() {
    guard case .flags(let flags) = wanted("submit --title x --require gpu --") else {
      Issue.record("no flags")
      return
    }
    #expect(!flags.contains(.title))
    #expect(flags.contains(.require))
    #expect(flags.contains(.help))
  }

  @Test func `what is finished of a word is kept`() {
    let request = CompletionRequest(["submit", "--require=gpu,mem"])
    #expect(request.kept == "--require=gpu,")
    #expect(request.started == "mem")
    #expect(CompletionRequest(["submit", "--jobs", "/a", ""]).jobs == "/a")
    #expect(CompletionRequest(["submit", "--jobs=/b", ""]).jobs == "/b")
  }

  @Test func `bash's pieces of a word are put together, and taken apart again`() {
    #expect(
      CompletionShell.bash.joined(["submit", "--strategy", "=", "qu"]) == [
        "submit", "--strategy=qu",
      ])
    #expect(
      CompletionShell.bash.joined(["submit", "--strategy", "="]) == ["submit", "--strategy="])
    #expect(CompletionShell.zsh.joined(["a", "=", "b"]) == ["a", "=", "b"])
    #expect(
      CompletionShell.bash.replacement("--require=gpu,memory=", for: "--require=gpu,m")
        == "gpu,memory=")
    #expect(CompletionShell.bash.replacement("memory=", for: "memory=") == "")
    #expect(
      CompletionShell.fish.replacement("--require=gpu", for: "--require=g") == "--require=gpu")
  }
}

/// The scripts in real shells, if this machine has them.
struct CompletionScriptTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  /// bash's completions for a line that was split as by readline.
  private func bash(_ words: String...) throws -> [String] {
    let script = """
      eval "$(jobrun completions bash)"
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      compopt() { :; }
      _jobrun
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let finished = try sandbox.run("bash", ["-c", script, "bash", "jobrun"] + words)
    #expect(finished.status == 0 && finished.errors == "", "\(finished.errors)")
    return finished.output.split(separator: "\n").map(String.init)
  }

  @Test func `bash completes verbs, flags, values, files and commands`() throws {
    try sandbox.write("", to: "picture one.png")
    #expect(try bash("sub") == ["submit", "submit-file"])
    #expect(try bash("submit", "export", "--strat") == ["--strategy"])
    #expect(try bash("submit", "export", "--strategy", "") == ["queue", "fail"])
    #expect(try bash("submit", "export", "--strategy", "=", "q") == ["queue"])
    #expect(try bash("run", "--require", "gpu,mem") == ["gpu,memory="])
    #expect(try bash("runner", "st") == ["status", "stop"])
    #expect(try bash("run", "--", "jobru").contains("jobrun"))
    #expect(try bash("nonsense", "x") == [])
  }

  @Test func `the names of definitions come from the bundle at hand`() throws {
    try sandbox.write(#"{"identifier": "org.example.t", "name": "T"}"#, to: "jobs/bundle.json")
    try sandbox.write(
      #"{"identifier": "org.example.t.zebra.*", "command": ["true"]}"#, to: "jobs/zebra/job.json")
    #expect(try bash("submit", "ze") == ["zebra"])
    #expect(try bash("help", "ze") == ["zebra"])
  }

  @Test func `what a definition says of itself is offered`() throws {
    try sandbox.write(#"{"identifier": "org.example.t", "name": "T"}"#, to: "jobs/bundle.json")
    try sandbox.write(
      #"{"identifier": "org.example.t.zebra.*", "command": ["true"], "about": "Counts stripes. All.","#
        + #" "usage": "[--fast | --from N] FILE"}"#, to: "jobs/zebra/job.json")
    #expect(try bash("submit", "zebra", "--", "--f") == ["--fast", "--from"])
    let fish = try sandbox.run("jobrun", ["completions", "fish", "--", "submit", "ze"])
    #expect(fish.output == "zebra\tCounts stripes\n")
  }

  @Test func `a key starts no runner`() throws {
    #expect(try bash("attach", "") == [])
    #expect(try sandbox.run("jobrun", ["runner", "status"]).status == 1)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `every shell's script is one that it can read`(shell: String) throws {
    let script = try sandbox.run("jobrun", ["completions", shell])
    #expect(script.status == 0 && script.output.contains("completions \(shell) --"))
    let path = try sandbox.write(script.output, to: "script")
    let finished = try sandbox.run(
      "sh", ["-c", "command -v \(shell) >/dev/null || exit 0; \(shell) -n \"$0\"", path])
    #expect(finished.status == 0, "\(finished.errors)")
  }

  @Test func `an unknown shell is named, with those that are known`() throws {
    let finished = try sandbox.run("jobrun", ["completions", "fsh"])
    #expect(finished.status == 64)
    #expect(finished.errors.contains("\"fsh\"") && finished.errors.contains("fish"))
  }
}

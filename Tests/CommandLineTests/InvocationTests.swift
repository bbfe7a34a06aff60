import JobCore
import JobWire
import Testing

@testable import jobrun

/// Command lines, and how they are parsed.
struct InvocationTests {
  private func parse(_ line: String) throws -> Invocation {
    try Invocation.parse(line.split(separator: " ").map { Argument(String($0)) })
  }

  @Test func `jobrun alone lists`() throws {
    #expect(try parse("").verb == .list)
    #expect(try parse("--all").verb == .list)
    #expect(try parse("--all").isSet(.all))
  }

  @Test func `everything behind the dashes goes to the job verbatim`() throws {
    let invocation = try parse("submit export --title Trip -- --title x -f -- y")
    #expect(invocation.operands == ["export"])
    #expect(invocation.text(.title) == "Trip")
    #expect(invocation.arguments == ["--title", "x", "-f", "--", "y"])
  }

  @Test func `an argument keeps bytes that are no text`() throws {
    let raw = Argument(bytes: [0xFF, 0x41, 0xFE])
    let invocation = try Invocation.parse(["run", "--", "echo", raw])
    #expect(invocation.arguments[1].bytes == [0xFF, 0x41, 0xFE])
  }

  @Test(arguments: [["--on-end", "rm \u{1}"], ["--on-end=rm \u{1}"], ["--after", "\u{1}"]])
  func `a flag whose bytes are no text is refused instead of changed`(words: [String]) throws {
    let raw = words.map { word in
      Argument(bytes: word.utf8.map { $0 == 1 ? 0xFF : $0 })
    }
    let error = #expect(throws: WireError.self) {
      try Invocation.parse(["run"] + raw + ["--", "true"])
    }
    #expect(error?.code == .usage && error?.message.contains("is not UTF-8") == true)
    let title = try Invocation.parse(["run", "--title", Argument(bytes: [0x41, 0xFF]), "true"])
    #expect(title.text(.title) == "A\u{FFFD}")
  }

  @Test func `the command of run needs no dashes before it`() throws {
    let invocation = try parse("run -f make -j8 --keep-going")
    #expect(invocation.isSet(.follow))
    #expect(invocation.arguments == ["make", "-j8", "--keep-going"])
  }

  @Test(arguments: [
    ("submit a --title=T", Flag.title, Invocation.Value.text("T")),
    ("submit a --title T", Flag.title, .text("T")),
    ("submit a --title=a=b", Flag.title, .text("a=b")),
    ("submit a --title=--detach", Flag.title, .text("--detach")),
    ("submit a --title --unknown", Flag.title, .text("--unknown")),
    ("submit a --title -", Flag.title, .text("-")),
    ("submit a --limit 1.5h", Flag.limit, .duration(.seconds(5400))),
    ("submit a --strategy fail", Flag.strategy, .text("fail")),
    ("submit a --silent-after never", Flag.silentAfter, .never),
    ("submit a --grace 2s", Flag.grace, .duration(.seconds(2))),
    ("submit a --json", Flag.json, .on),
    ("log 3 -f", Flag.follow, .on),
    ("feed --since 42", Flag.since, .count(42)),
    ("progress --advance 7", Flag.advance, .count(7)),
    ("log 3 -n 50", Flag.lines, .count(50)), ("log 3 -n50", Flag.lines, .count(50)),
    ("log -fn 5 3", Flag.lines, .count(5)), ("log 3 -n=5", Flag.lines, .count(5)),
    ("history -n 0", Flag.historyLimit, .count(0)),
    ("history --title trip", Flag.titlePart, .text("trip")),
  ])
  func `a flag is read`(line: String, flag: Flag, value: Invocation.Value) throws {
    #expect(try parse(line).values[flag] == value)
  }

  @Test func `several requirements add up`() throws {
    let invocation = try parse("submit a --require gpu=2 --require memory=4G,network")
    let requirements = try #require(invocation.requirements(.require))
    #expect(requirements.gpuCount == 2)
    #expect(requirements.memoryBytes > 3_900_000_000)
    #expect(requirements.network)
  }

  @Test(arguments: [
    ("sumbit export", ["\"sumbit\"", "submit"]),
    ("kill 3", ["\"kill\"", "jobrun cancel"]),
    ("submit export --tite x", ["--tite", "did you mean --title?"]),
    ("submit export --strategy ques", ["--strategy", "\"ques\"", "did you mean queue?"]),
    ("submit export --on-slow maybe", ["--on-slow", "ask or ignore"]),
    ("submit export --grace soon", ["--grace", "soon"]),
    ("submit export --require gpus", ["--require", "gpu"]),
    ("submit export --title", ["--title needs a value"]),
    ("submit export --json=yes", ["--json takes no value"]),
    ("submit", ["submit needs JOB"]),
    ("submit export photos", ["\"photos\"", "after --"]),
    ("run", ["needs a command"]),
    ("run --", ["needs a command"]),
    ("cancel", ["cancel needs ID"]),
    ("cancel 3 --all", ["cannot be used together"]),
    ("feed --since -1", ["--since"]),
    ("jobs 3", ["jobs takes no argument", "\"3\""]),
    ("log 3 -x", ["-x"]), ("log 3 -n", ["-n needs a value"]), ("log 3 -n x", ["--lines", "\"x\""]),
    ("log 3 -nf", ["--lines", "\"f\""]),
    ("jobs 3 4", ["jobs takes no argument", "\"3\""]),
    ("run --title --detach -- true", ["--title needs a value", "--title=--detach"]),
    ("run --title -f -- true", ["--title needs a value", "--title=-f"]),
    ("run --title -- true", ["--title needs a value"]),
    ("run --title --limit=2h true", ["--title needs a value", "--title=--limit=2h"]),
    ("run --group --hold true", ["--group needs a value"]),
    ("log 3 -n -f", ["-n needs a value", "-n=-f"]), ("log 3 -n --", ["-n needs a value"]),
    ("run --limit --detach true", ["--limit needs a value"]),
  ])
  func `a mistake names what is wrong and what would be right`(
    line: String, words: [String]
  ) throws {
    let error = try #require(throws: WireError.self) { try parse(line) }
    #expect(error.code.exitCode == 64)
    for word in words { #expect(error.message.contains(word), "\(error.message)") }
  }

  @Test func `a title of 253 bytes passes and one of 254 does not`() throws {
    let title = String(repeating: "é", count: 126)
    #expect(
      try Invocation.parse(["submit", "a", "--title", Argument(title + "x")]).text(.title) != nil)
    let error = try #require(throws: WireError.self) {
      try Invocation.parse(["submit", "a", "--title", Argument(title + "xy")])
    }
    #expect(error.code == .usage)
    #expect(error.message.contains("254 bytes"))
  }

  @Test(arguments: ["a\u{1B}[31m", "a\nb", "a\u{9B}x", "a\u{202E}b"])
  func `a title that would steer the terminal is refused`(title: String) throws {
    let error = try #require(throws: WireError.self) {
      try Invocation.parse(["submit", "a", "--title", Argument(title)])
    }
    #expect(error.code == .usage)
    #expect(!error.message.contains("\u{1B}"))
  }

  @Test func `help wins over whatever else is missing`() throws {
    #expect(try parse("submit --help").wantsHelp)
    #expect(try parse("cancel -h").wantsHelp)
    #expect(try parse("--help").verb == .help)
  }
}

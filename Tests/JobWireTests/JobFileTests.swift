import JobCore
import JobWire
import Testing

/// Parsing of a file of jobs.
@Suite struct JobFileTests {
  private func file(_ text: String) throws -> JobFile {
    try JobFile(Array(text.utf8), file: "jobs")
  }

  @Test func `each comes behind those that it comes after, and otherwise as it stands`() throws {
    let file = try file(
      """
      {"name": "sum", "command": ["sum", "a b"], "after": ["one", "two"], "require": "cpu=2"}

      {"name": "one", "command": "echo 1"}
      {"name": "two", "command": ["true"], "afterAny": "one", "limit": "2h", "retries": 3}
      {"command": ["false"], "group": "x", "slots": 2}
      """)
    #expect(file.entries.map(\.name) == ["one", "two", "sum", nil])
    #expect(file.entries.map(\.line) == [3, 4, 1, 5])
    #expect(file.after == [[], [], [0, 1], []])
    #expect(file.afterAny == [[], [0], [], []])
    #expect(file.entries[0].command == ["sh", "-c", "echo 1"])
    #expect(file.entries[1].options.limit == .minutes(120) && file.entries[1].options.retries == 3)
    #expect(file.entries[2].options.requirements.processors == 2)
    #expect(file.entries[3].options.group?.text == "x" && file.entries[3].options.slots == 2)
  }

  @Test(arguments: [
    (#"{"command": ["a"], "aftr": "x"}"#, "jobs:1: \"aftr\" is not a field; did you mean after?"),
    (#"{"command": []}"#, "jobs:1: it has no command"),
    (#"{"command": ""}"#, "jobs:1: it has no command"),
    (#"{"command": "tr\u0000ue"}"#, "jobs:1: its command has a NUL"),
    (#"{"command": ["true", "a\u0000b"]}"#, "jobs:1: its command has a NUL"),
    ("{\"command\": [\"a\"]}\n[]", "jobs:2: the line must be an object"),
    (#"{"command": ["a"], "after": "x"}"#, "jobs:1: no line has the name \"x\""),
    (
      "{\"command\":\"a\",\"name\":\"x\"}\n{\"command\":\"b\",\"name\":\"x\"}",
      "jobs:2: line 1 has the name \"x\" already"
    ),
    (
      "{\"command\":\"a\"}\n{\"command\":\"b\",\"name\":\"x\",\"after\":\"y\"}\n"
        + "{\"command\":\"b\",\"name\":\"y\",\"after\":\"x\"}",
      "jobs:2: it depends on itself"
    ),
    (#"{"command": "a", "require": "gpu=x"}"#, "jobs:1: the requirement gpu takes"),
    (#"{"command": "a", "env": ["A=1"]}"#, "jobs:1: env is a list; write an object"),
    (#"{"command": "a", "env": {"A=B": "1"}}"#, "jobs:1: \"A=B\" in env is not a name with a text"),
    (#"{"command": "a", "env": {"A": 1}}"#, "jobs:1: \"A\" in env is not a name with a text"),
    (#"{"command": "a", "cwd": ""}"#, "jobs:1: cwd is \"\", which is not a path"),
    (#"{"command": "a", "stdin": "a\u0000"}"#, "jobs:1: stdin is "),
    (#"{"command": "a", "name": "a", "afterOne": "a"}"#, "jobs:1: it depends on itself"),
  ])
  func `what is wrong is told with its line`(text: String, sentence: String) {
    let error = #expect(throws: WireError.self) { try file(text) }
    #expect(error?.code == .usage)
    #expect(error?.message.hasPrefix(sentence) == true, "\(error?.message ?? "")")
  }

  @Test func `each has a folder, variables and files of its own`() throws {
    let file = try file(
      """
      {"name": "a", "command": ["a"], "cwd": "in/a", "env": {"B": "", "A": "1=2"}, "stdin": "x"}
      {"command": ["b"], "stdout": "%j.txt", "stderr": "/e", "afterOne": ["a"], "env": {}}
      """)
    #expect(file.entries[0].cwd == "in/a" && file.entries[0].variables == ["B=", "A=1=2"])
    #expect(file.entries[0].stdin == "x" && file.entries[0].stdout == nil)
    #expect(file.entries[1].stdout == "%j.txt" && file.entries[1].stderr == "/e")
    #expect(file.afterOne == [[], [0]])
  }

  @Test(arguments: [[], ["A=1", "B="]], ["", "/a b"])
  func `a command is read as it was written`(variables: [String], directory: String) {
    var command = OwnCommand([Array("p".utf8), [], Array("{}".utf8), []])
    command.variables = variables.map { Array($0.utf8) }
    command.directory = Array(directory.utf8)
    #expect(OwnCommand(packed: command.packed[...]) == command)
  }

  @Test func `a byte order mark and carriage returns are no part of the jobs`() throws {
    let file = try file("\u{FEFF}{\"command\": \"a\"}\r\n\r\n{\"command\": \"b\"}\r\n")
    #expect(file.entries.map(\.command) == [["sh", "-c", "a"], ["sh", "-c", "b"]])
  }

  @Test func `jobs are read as they were written`() throws {
    var options = Submission.Options(speaksPage: false)
    options.retries = 2
    options.requirements.counted = [CountedNeed("licence", 1)]
    var second = MixedJob(
      title: "Sum", options, OwnCommand([Array("b".utf8), [], Array("c d".utf8)]))
    (second.after, second.afterAny, second.subtitle) = ([0], [0], "all")
    var first = MixedJob(
      title: "One", Submission.Options(speaksPage: false), OwnCommand([Array("a".utf8)]))
    first.command.directory = Array("/d".utf8)
    first.command.variables = [Array("A=".utf8), Array("B=1 2".utf8)]
    (first.stdin, first.stdout, first.stderr) = ("/i", "/o/%j", nil)
    second.command.variables = [Array("A=1".utf8)]
    second.afterOne = [0]
    var bytes: [UInt8] = []
    first.append(to: &bytes)
    second.append(to: &bytes)
    #expect(try MixedJob.all(in: bytes, count: 2) == [first, second])
    #expect(throws: WireError.self) { try MixedJob.all(in: bytes, count: 1) }
    #expect(throws: WireError.self) { try MixedJob.all(in: Array(bytes.dropLast()), count: 2) }
    var own = first
    own.after = [0]
    var wrong: [UInt8] = []
    own.append(to: &wrong)
    #expect(throws: WireError.self) { try MixedJob.all(in: wrong, count: 1) }
  }

  @Test(arguments: ["-1", "9223372036854775808", "1.5", "\"1\"", "null"])
  func `a job whose number of words is none is refused`(_ words: String) {
    let bytes = Array("{\"words\":\(words),\"title\":\"a\"}\0true\0".utf8)
    #expect(throws: WireError.self) { try MixedJob.all(in: bytes, count: 1) }
  }
}

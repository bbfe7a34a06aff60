import JobWire
import TestKit
import Testing

@testable import jobrun

/// How `each` parses the words after `--`.
@Suite struct BatchInputsTests {
  private func inputs(
    _ line: String, endsWithNUL: Bool = false, piped: String? = nil
  ) throws -> BatchInputs {
    try BatchInputs(
      line.split(separator: " ").map { Argument(String($0)) }, endsWithNUL ? .endingWithNUL : .lines
    ) { () throws(WireError) in piped.map { Array($0.utf8) } }
  }

  private func commands(_ inputs: BatchInputs) throws -> [String] {
    let lists = try PackedInputs(inputs.bytes, count: inputs.count, width: inputs.width)
    let template = CommandTemplate(inputs.command.map(\.bytes))
    return (0..<inputs.count).map { index in
      template.filled(with: .init(lists[index], position: index + 1)).map {
        String(decoding: $0, as: UTF8.self)
      }
      .joined(separator: " ")
    }
  }

  @Test(arguments: [
    ("echo {} ::: a b", ["echo a", "echo b"]),
    ("echo ::: a b", ["echo a", "echo b"]),
    ("echo {}.png {1} ::: a", ["echo a.png a"]),
    ("echo {2}-{1} ::: a b ::: 1 2", ["echo 1-a", "echo 2-a", "echo 1-b", "echo 2-b"]),
    ("echo ::: a ::: 1 2", ["echo a 1", "echo a 2"]),
    ("echo ::: a b :::+ c d ::: 1 2", ["echo a c 1", "echo a c 2", "echo b d 1", "echo b d 2"]),
    ("echo ::: a b c :::+ 1 2", ["echo a 1", "echo b 2"]),
    ("echo {#}:{/.} ::: x/a.b y", ["echo 1:a", "echo 2:y"]),
    ("echo :::", []),
    ("echo ::: a :::", []),
  ])
  func `each input makes a command`(line: String, made: [String]) throws {
    #expect(try commands(try inputs(line)) == made)
  }

  @Test(arguments: [
    ("echo {nmae} ::: name a ::: mail b", "{nmae} is not a column; there are name, mail"),
    ("echo x{naem/.}y ::: name a", "{naem/.} is not a column; there is name"),
  ])
  func `with a header a place that names no column is refused`(_ line: String, _ told: String) {
    let error = #expect(throws: WireError.self) { try header(line) }
    #expect(error?.code == .usage && error?.message == told)
  }

  @Test func `with a header shell variables and programs of awk stay as they are`() throws {
    let line = "sh ${HOME} { name } {a,b} {$1} {name/.} {#} ::: name a/b.c"
    #expect(try commands(try header(line)) == ["sh ${HOME} { name } {a,b} {$1} b 1"])
  }

  private func header(_ line: String) throws -> BatchInputs {
    var format = BatchInputs.Format.lines
    format.hasHeader = true
    return try BatchInputs(line.split(separator: " ").map { Argument(String($0)) }, format) {
      () throws(WireError) in nil
    }
  }

  @Test func `inputs come from files and from standard input`() throws {
    try withSandbox { sandbox in
      try sandbox.write("a b\n\nc\n", to: "list")
      let path = sandbox.path("list")
      #expect(try commands(try inputs("echo :::: \(path)")) == ["echo a b", "echo c"])
      #expect(
        try commands(try inputs("echo :::: \(path) ::: 1")) == ["echo a b 1", "echo c 1"])
      #expect(try commands(try inputs("echo", piped: "x\ny")) == ["echo x", "echo y"])
      #expect(try commands(try inputs("echo :::: -", piped: "x\n")) == ["echo x"])
      #expect(
        try commands(try inputs("echo", endsWithNUL: true, piped: "x\ny\0z\0"))
          == ["echo x\ny", "echo z"])
    }
  }

  @Test(arguments: [
    ("echo", "each has no inputs; write them behind :::, or :::: and a file"),
    ("::: a", "each needs a command before :::"),
    (
      "{} ::: a",
      "the command \"{}\" is an input; name a program, as in ./convert {}, or sh -c {} if each input"
        + " is a command of the shell"
    ),
    ("echo {2} ::: a", "{2} asks for input 2 of each job, which has 1"),
    (
      "echo {..} ::: a",
      "{..} is not a placeholder; there are {}, {1}, {.}, {/}, {//}, {/.}, {1.} and so on, {#} and {%}"
    ),
    ("echo :::+ a", ":::+ links its list with one before it, and there is none"),
    (
      "echo :::: /nowhere/at/all",
      "the inputs in \"/nowhere/at/all\" cannot be read: No such file or directory"
    ),
  ])
  func `what makes no sense is refused in words`(line: String, sentence: String) {
    #expect {
      _ = try inputs(line)
    } throws: { error in
      (error as? WireError)?.message == sentence
    }
  }

  @Test func `columns, headers and other delimiters`() throws {
    func made(_ line: String, _ format: BatchInputs.Format, piped: String) throws -> [String] {
      let words = line.split(separator: " ").map { Argument(String($0)) }
      return try commands(
        BatchInputs(words, format) { () throws(WireError) in Array(piped.utf8) })
    }
    var format = BatchInputs.Format(end: UInt8(ascii: ","))
    #expect(try made("echo", format, piped: "a,b,c\n") == ["echo a", "echo b", "echo c"])
    format = BatchInputs.Format(columns: Array("::".utf8))
    #expect(try made("echo {2}-{1}", format, piped: "a::b\nc\n") == ["echo b-a", "echo -c"])
    format = BatchInputs.Format(columns: Array(",".utf8), hasHeader: true)
    #expect(
      try made("echo {size} {name.}", format, piped: "name,size\na.png,3\nb,4\n")
        == ["echo 3 a", "echo 4 b"])
  }

  @Test func `more than may wait are refused before anything is sent`() {
    let numbers = (1...1_001).map { "\($0)" }.joined(separator: " ")
    #expect {
      _ = try inputs("echo ::: \(numbers) ::: \(numbers)")
    } throws: { error in
      let error = error as? WireError
      return error?.code == .unavailable
        && error?.message
          == "1,002,001 jobs are more than may wait; 1,000,000 is the limit,"
          + " and none of them is accepted"
    }
  }

  @Test func `more bytes than all jobs may have are refused before they are put together`() throws {
    let long = Argument(String(repeating: "x", count: 100_000))
    let numbers = (1...1_000).map { Argument("\($0)") }
    let words = [Argument("echo"), Argument(":::"), long, Argument(":::")] + numbers
    #expect {
      _ = try BatchInputs(words) { () throws(WireError) in nil }
    } throws: { error in
      let error = error as? WireError
      return error?.code == .unavailable
        && error?.message
          == "the inputs of all jobs have 100,004,893 bytes; 67,108,864 is the limit,"
          + " and none of them is accepted"
    }
  }

  @Test func `lists that end with NUL have to be said to`() {
    #expect {
      _ = try inputs("echo", piped: "a\0b")
    } throws: {
      ($0 as? WireError)?.message
        == "standard input has inputs that end with NUL; write --null"
    }
  }
}

import JobPage
import LinuxSystem
import TestKit
import Testing

struct RunRecordTests {
  static let started = RunRecord.Line.started(
    .init(
      worker: ProcessIdentity(pid: 20, startTime: 5000),
      shim: ProcessIdentity(pid: 19, startTime: 4999)))
  static func ended(_ status: RunRecord.Status, _ message: String = "") -> RunRecord.Line {
    .ended(
      .init(
        status: status, cpuMicroseconds: 1500, residentBytes: 4096, startedMilliseconds: 10,
        endedMilliseconds: 20, message: message))
  }

  @Test func `the lines are what they have always been`() {
    #expect(Self.started.text == "started 20 5000 19 4999\n")
    #expect(Self.ended(.exited(3)).text == "ended exit 3 cpu 1500 rss 4096 from 10 to 20\n")
    #expect(
      Self.ended(.cannotStart(2), "cannot start x").text
        == "ended cannotStart 2 cpu 1500 rss 4096 from 10 to 20 cannot start x\n")
    #expect(RunRecord.Line.revoked.text == "revoked\n")
  }

  @Test(arguments: [
    started, ended(.exited(0)), ended(.signalled(9)), ended(.cannotStart(13), "why  not"),
    .revoked, .waited, .transferred(BytesTransferred(read: 1, written: 2)),
    .held("cannot open x: Too many open files"),
  ])
  func `a line is read as it was written`(_ line: RunRecord.Line) {
    #expect(RunRecord.Line(parsing: String(line.text.dropLast())) == line)
  }

  /// A blank and a combining mark make one character; found by the fuzzer.
  @Test func `a message that begins with a combining mark hides no end`() {
    let line = Self.ended(.exited(0), "\u{356}sta")
    let record = RunRecord(parsing: Array(line.text.utf8))
    #expect(record.ended?.status == .exited(0))
    #expect(record.ended?.message.unicodeScalars.elementsEqual("\u{356}sta".unicodeScalars) == true)
  }

  @Test(arguments: [
    "cpu 0 rss 0 from 0 to \(Int64.min)", "cpu 0 rss 0 from \(Int64.min) to 0",
    "cpu 0 rss 0 from 0 to \(Int64.max)", "cpu \(UInt64.max) rss 0 from 0 to 1",
    "cpu 0 rss \(UInt64.max) from 0 to 1", "cpu 0 rss 0 from -1 to 1",
  ])
  func `an end with numbers that nobody measures is none`(_ numbers: String) {
    #expect(RunRecord.Line(parsing: "ended exit 0 \(numbers)") == nil)
  }

  @Test func `a message cannot add a line`() {
    let line = Self.ended(.exited(0), "one\nrevoked\n")
    #expect(RunRecord(parsing: Array(line.text.utf8)).isRevoked == false)
  }

  @Test func `a record cut anywhere holds only whole lines`() throws {
    let lines = Self.started.text + Self.ended(.exited(7)).text
    let first = Self.started.text.utf8.count
    for count in 0...lines.utf8.count {
      let record = RunRecord(parsing: Array(lines.utf8.prefix(count)))
      #expect(record.isEmpty == (count == 0))
      #expect((record.started != nil) == (count >= first))
      #expect((record.ended != nil) == (count == lines.utf8.count))
    }
  }

  @Test func `damage never reads as an end`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      let record = RunRecord(parsing: Array("ended ".utf8) + bytes)
      #expect(record.ended == nil)
      #expect(!record.isEmpty)
    }
  }

  @Test func `a line after a torn one starts anew`() throws {
    let scratch = try Scratch()
    let path = scratch.file("12.1")
    try File.writeAtomically(Array("started 20 50".utf8), to: path)
    let record = try RunRecordFile(path: path)
    try record.append(.revoked)
    #expect(try record.read().isRevoked)
    #expect(try record.read().started == nil)
  }

  @Test func `only one at a time holds the record`() throws {
    let scratch = try Scratch()
    let path = scratch.file("12.1")
    let second = try RunRecordFile(path: path)
    do {
      let first = try RunRecordFile(path: path)
      #expect(try first.tryLock())
      #expect(try !second.tryLock())
    }
    // A child that another test started meanwhile holds it until its exec (fork(2)).
    let waiting = try TestKit.ChildProcess("flock", ["-w", "60", path, "true"], environment: [:])
    #expect(try waiting.wait().status == 0)
    #expect(try second.tryLock())
  }
}

struct LaunchCodingTests {
  static let specification = LaunchSpecification(
    directory: [0x2F, 0xFF], arguments: [[0x61], [], [0x0A, 0x80]],
    environment: [Array("A=1".utf8), Array("B=".utf8)])
  static let order = LaunchOrder(
    record: "/r", page: "/p", log: "/l=1", stateDirectory: "/s", token: "t", graceMilliseconds: 9,
    specification: specification)

  @Test func `a specification comes back byte for byte`() throws {
    let bytes = Self.specification.encoded()
    #expect(bytes == [0x2F, 0xFF, 0, 0x33, 0, 0x61, 0, 0, 0x0A, 0x80, 0] + Array("A=1\0B=\0".utf8))
    #expect(try LaunchSpecification(decoding: bytes) == Self.specification)
  }

  @Test func `an order comes back whole`() throws {
    #expect(try LaunchOrder(decoding: Self.order.encoded()) == Self.order)
    var withTerminal = Self.order
    withTerminal.terminal = LaunchOrder.TerminalSize(columns: 80, rows: 24)
    #expect(try LaunchOrder(decoding: withTerminal.encoded()) == withTerminal)
    var limited = Self.order
    limited.limitMilliseconds = .max
    #expect(try LaunchOrder(decoding: limited.encoded()) == limited)
    #expect(Self.order.environmentEntry == Array("JOBRUN_TOKEN=t".utf8))
  }

  @Test func `an order cut anywhere inside a field is refused, never guessed`() {
    let bytes = Self.order.encoded()
    for count in 0..<bytes.count where count == 0 || bytes[count - 1] != 0 {
      #expect(throws: JobPageError.self) { try LaunchOrder(decoding: Array(bytes.prefix(count))) }
    }
  }

  @Test func `a wrong number of arguments is refused`() {
    for text in ["/\0", "/\u{0}0\0", "/\0x\0", "/\u{0}2\0a\0", "/\0-1\0", "/\u{0}99999999999\0a\0"]
    {
      #expect(throws: JobPageError.self) {
        try LaunchSpecification(decoding: Array(text.utf8))
      }
    }
  }

  @Test func `variables take the place of those of their names, and nothing else changes`() throws {
    var specification = try LaunchSpecification(decoding: Self.specification.encoded())
    specification.replace(with: ["B=2", "C=", "AA=1"])
    var expected = Self.specification
    expected.environment = ["A=1", "B=2", "C=", "AA=1"].map { Array($0.utf8) }
    #expect(specification == expected)
    #expect(specification.encoded() == expected.encoded())
    #expect(specification.arguments == Self.specification.arguments)
    #expect(specification.value(of: "B") == [0x32])
    #expect(specification.value(of: "C") == [])
    #expect(specification.value(of: "D") == nil)
  }

  @Test func `arguments may be others, and the environment stays`() throws {
    var specification = Self.specification
    specification.creationMask = 0o27
    specification.arguments = [[0x62]]
    let decoded = try LaunchSpecification(decoding: specification.encoded())
    #expect(decoded == specification)
    #expect(decoded.arguments == [[0x62]])
    #expect(decoded.environment == Self.specification.environment)
    #expect(decoded.creationMask == 0o27)
  }

  @Test func `a NUL inside an argument cannot make another argument of its rest`() throws {
    var specification = Self.specification
    specification.arguments = [[0x61, 0, 0x62], [0x63]]
    let decoded = try LaunchSpecification(decoding: specification.encoded())
    #expect(decoded.arguments == [[0x61], [0x63]])
  }
}

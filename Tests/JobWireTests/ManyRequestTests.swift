import JobCore
import JobWire
import Testing

/// Many jobs in one submission, as they are asked for and as each becomes its own.
@Suite struct ManyRequestTests {
  private static let key = String(repeating: "k", count: 32)

  private static func request(
    _ change: (inout SubmitRequest) -> Void = { _ in }
  ) -> SubmitRequest {
    var request = SubmitRequest(
      key: key, identifier: "io.jobrun.run.many", title: "Render {}", speaksPage: false)
    change(&request)
    return request
  }

  @Test func `a request comes back as it was sent`() throws {
    let line = RequestLine(id: 7, .submitMany(ManyRequest(Self.request(), count: 3, width: 2)))
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    #expect(try RequestLine(line: bytes.dropLast()) == line)
  }

  @Test func `an answer comes back as it was sent`() throws {
    let answer = ReplyLine.ok(
      id: 7, .submittedMany(first: JobNumber(12), count: 1_000, duplicate: false))
    var bytes: [UInt8] = []
    answer.append(to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "{\"id\":7,\"ok\":{\"kind\":\"submittedMany\",\"first\":12,\"count\":1000,\"duplicate\":false}}\n"
    )
    #expect(try RunnerLine(line: bytes.dropLast()) == .reply(answer))
  }

  @Test func `a tally comes back as it was sent, whether any failed or not`() throws {
    var failed = JobTally(live: 520)
    (failed.running, failed.failed) = ([JobNumber(481), JobNumber(482)], 3)
    (failed.firstFailed, failed.exitCode) = (JobNumber(17), 2)
    for tally in [failed, JobTally(live: 0)] {
      let answer = ReplyLine.ok(id: 7, .tally(tally))
      var bytes: [UInt8] = []
      answer.append(to: &bytes)
      #expect(try RunnerLine(line: bytes.dropLast()) == .reply(answer))
    }
  }

  @Test func `each has a key and an identifier of its own`() throws {
    let batch = try ManyRequest(Self.request(), count: 3, width: 1).batch()
    #expect(batch.submission(at: 0).key == Self.key + "0000000")
    #expect(batch.submission(at: 2).key == Self.key + "0000002")
    #expect(batch.submission(at: 2).identifier.text == "io.jobrun.run.many.3")
  }

  @Test(arguments: [
    (0, 1, ErrorCode.usage), (1_000_001, 1, .unavailable), (1, 0, .usage), (1, 65, .usage),
  ])
  func `too few and too many are refused`(count: Int, width: Int, code: ErrorCode) {
    #expect {
      _ = try ManyRequest(Self.request(), count: count, width: width).batch()
    } throws: {
      ($0 as? WireError)?.code == code
    }
  }

  @Test func `what many cannot be alike is refused in words`() {
    func refusal(_ change: (inout SubmitRequest) -> Void) -> String? {
      do throws(WireError) {
        _ = try ManyRequest(Self.request(change), count: 2, width: 1).batch()
        return nil
      } catch {
        return error.message
      }
    }
    let start = "many jobs of one submission cannot "
    #expect(refusal { $0.options.strategy = .fail } == start + "start all at once or never")
    #expect(refusal { $0.options.ifExists = .replace } == start + "take the place of others")
    #expect(refusal { $0.options.kind = .refresh } == start + "be scheduled requests")
    #expect(refusal { $0.details.input = .passed } == start + "read what is piped in")
    #expect(refusal { $0.details.input = .file("/dev/null") } == nil)
    #expect(
      refusal { $0.key += String(repeating: "k", count: 26) }
        == "the key of many jobs has 58 bytes; 57 is the limit")
  }

  @Test(arguments: [
    (["cp", "{}", "{1}.bak"], ["a"], ["cp", "a", "a.bak"]),
    (["echo", "{}"], ["a", "b"], ["echo", "a", "b"]),
    (["echo", "<{}>", "{2}-{1}"], ["a", "b"], ["echo", "<a b>", "b-a"]),
    (["echo", "{3}", "{x}", "{", "{}"], ["a b"], ["echo", "", "{x}", "{", "a b"]),
    (["echo", ""], ["a"], ["echo", ""]),
    (["{10}{{1}}", "{123}{+1}{0}"], ["a"], ["{a}", "{123}{+1}{0}"]),
    (["{.}", "{/}", "{//}", "{/.}"], ["a/b.c/d.e"], ["a/b.c/d", "d.e", "a/b.c", "d"]),
    (["{.}", "{/.}", "{//}"], ["a.b/c"], ["a.b/c", "c", "a.b"]),
    (["{.}", "{/}", "{//}"], [".bashrc"], [".bashrc", ".bashrc", "."]),
    (["{1/.}-{2.}", "{#}", "{%}", "{.}"], ["x/a.b", "c.d"], ["a-c", "7", "2", "x/a c"]),
    (["{//}"], ["/a"], ["/"]),
  ])
  func `a command gets its inputs`(_ words: [String], _ inputs: [String], _ filled: [String]) {
    let template = CommandTemplate(words.map { Array($0.utf8) })
    let given = template.filled(
      with: .init(inputs.map { Array($0.utf8)[...] }, position: 7, slot: 2))
    #expect(given.map { String(decoding: $0, as: UTF8.self) } == filled)
  }

  @Test func `what looks like a place and is none is found`() {
    func unknown(_ word: String) -> String? {
      CommandTemplate.unknownPlace(in: [Array(word.utf8)])
    }
    #expect(unknown("{..}") == "{..}")
    #expect(unknown("a{+/}{}") == "{+/}")
    #expect(unknown("{= s/a/b/ =}") == "{= … =}")
    for word in ["{x}", "{print $1}", "{}", "{.}", "{2/.}", "{a,b}", "{", "{\"a\":1}", "{1}{2}"] {
      #expect(unknown(word) == nil, "\(word)")
    }
  }

  @Test func `places are found, and the highest of them`() {
    func highest(_ words: String...) -> Int {
      CommandTemplate(words.map { Array($0.utf8) }).highest
    }
    #expect(highest("echo", "a") == 0)
    #expect(highest("echo", "{}") == 1)
    #expect(highest("echo", "{2}", "{}") == 2)
  }

  @Test(.timeLimit(.minutes(60)))
  func `a long word that could begin places everywhere is read once`() {
    let word = [UInt8](repeating: UInt8(ascii: "{"), count: 1 << 20)
    #expect(CommandTemplate([word]).filled(with: .init([])) == [word])
  }

  @Test func `inputs are taken apart as they were put together`() throws {
    let lists = try PackedInputs(Array("a\0b\0\0d\0".utf8), count: 2, width: 2)
    #expect(lists[0].map { Array($0) } == [Array("a".utf8), Array("b".utf8)])
    #expect(lists[1].map { Array($0) } == [[], Array("d".utf8)])
    for (count, width) in [(3, 2), (2, 1), (1, 3)] {
      #expect(throws: WireError.self) {
        try PackedInputs(Array("a\0b\0\0d\0".utf8), count: count, width: width)
      }
    }
    #expect(throws: WireError.self) {
      try PackedInputs(Array("a\0b".utf8), count: 1, width: 1)
    }
  }
}

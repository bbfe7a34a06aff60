import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// A descriptor belongs only to the line that it came with.
@Suite struct EnclosureTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    #expect(try workshop.jobrun("list").status == 0)
  }

  /// The specification of `echo WORD`.
  private func echo(_ word: String) throws -> FileDescriptor {
    try MemoryFile.make(
      LaunchSpecification(
        directory: Array("/".utf8), arguments: ["/bin/echo", word].map { Array($0.utf8) },
        environment: []
      ).encoded())
  }

  private func submission(_ id: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    let request = SubmitRequest(
      key: RandomBytes.hexadecimal(count: 16), identifier: "io.jobrun.run.word\(id)",
      title: "word \(id)", speaksPage: false)
    RequestLine(id: id, .submit(request)).append(to: &bytes)
    return bytes
  }

  @Test func `a line that makes no sense takes its descriptor with it`() throws {
    let client = try ProtocolTests.RawClient(workshop)
    let first = try echo("first")
    let second = try echo("second")
    try client.connection.sendAll(
      Array("{\"id\":1,\"op\":\"submit\"}\n".utf8), passing: first.number)
    #expect(try client.line().contains("\"error\""))
    try client.connection.sendAll(submission(2), passing: second.number)
    #expect(try client.line().contains("\"number\":1"))
    #expect(try workshop.jobrun("wait", "1").status == 0)
    #expect(try workshop.jobrun("log", "1").output == "second\n")
  }

  @Test func `lines sent without waiting keep their descriptors, and one without is refused`()
    throws
  {
    let client = try ProtocolTests.RawClient(workshop)
    let words = ["first", "second"]
    for (index, word) in words.enumerated() {
      let descriptor = try echo(word)
      try client.connection.sendAll(submission(UInt64(2 * index + 1)), passing: descriptor.number)
      try client.connection.sendAll(submission(UInt64(2 * index + 2)))
    }
    // Each is answered when it is decided: refusals come first.
    let answers = try (1...4).map { _ in try client.line() }
    for id in [2, 4] {
      #expect(answers.contains { $0.contains("\"id\":\(id),\"error\"") }, "\(answers)")
    }
    for (index, word) in words.enumerated() {
      #expect(try workshop.jobrun("wait", "\(index + 1)").status == 0)
      #expect(try workshop.jobrun("log", "\(index + 1)").output == word + "\n")
    }
  }
}

import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `Parts of a download` {
  private let download: TransferRun
  private static let content = TransferRun.bytes(300_000)
  private var content: [UInt8] { Self.content }

  init() throws { download = try TransferRun("download") }

  /// The first `count` bytes, in the form of a body without a known length, and without its end.
  private static func beginning(_ count: Int) -> FileServer.Answer {
    FileServer.Answer(
      fields: ["ETag": "\"one\"", "Accept-Ranges": "bytes", "Transfer-Encoding": "chunked"],
      body: Array("\(String(count, radix: 16))\r\n".utf8) + content.prefix(count)
        + Array("\r\n".utf8))
  }

  private static func part(_ range: Range<Int>, of total: String) -> FileServer.Answer {
    FileServer.Answer(
      status: 206,
      fields: [
        "ETag": "\"one\"", "Content-Length": "\(range.count)",
        "Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)",
      ], body: Array(content[range]))
  }

  @Test func `a file whose length only a part tells ends there, not with the part`() throws {
    let server = try FileServer { [content] request, number in
      switch number {
      case 0: Self.beginning(100_000)
      case 1: Self.part(100_000..<150_000, of: "300000")
      default: .file(content, to: request)
      }
    }
    #expect(try download.run(server.address()).status == 0)
    #expect(download.content() == content)
    #expect(server.requests.map(\.start) == [nil, 100_000, 150_000])
    #expect(try download.page().total == 300_000)
  }

  @Test func `where no part tells the length either, the end is where there is nothing more`()
    throws
  {
    let server = try FileServer { _, number in
      switch number {
      case 0: Self.beginning(100_000)
      case 1: Self.part(100_000..<200_000, of: "*")
      case 2: Self.part(200_000..<300_000, of: "*")
      default: FileServer.Answer(status: 416, fields: ["Content-Range": "bytes */300000"])
      }
    }
    let finished = try download.run(server.address())
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(download.content() == content)
    #expect(server.requests.map(\.start) == [nil, 100_000, 200_000, 300_000])
  }

  @Test(
    arguments: [
      // A server without If-Range.
      ("\"two\"", nil),
      // A server that compresses partial content.
      ("\"one\"", "gzip"),
    ] as [(String, String?)])
  func `a part of another file is not put behind the first part`(
    tag: String, encoding: String?
  ) throws {
    let new = TransferRun.bytes(300_000, seed: 2)
    let server = try FileServer { [content] request, number in
      var request = request
      request.fields["if-range"] = nil
      var answer = FileServer.Answer.file(
        number == 0 ? content : new, tag: number == 0 ? "\"one\"" : tag, to: request)
      if number == 0 { answer.sent = 100_000 }
      if number == 1 { answer.fields["Content-Encoding"] = encoding }
      return answer
    }
    let finished = try download.run(server.address())
    #expect(finished.status == 0)
    #expect(finished.errors.contains("starting over"), "\(finished.errors)")
    #expect(download.content() == new)
    #expect(server.requests.map(\.start) == [nil, 100_000, nil])
    #expect(server.requests.allSatisfy { $0.fields["accept-encoding"] == "identity" })
  }

  @Test func `a server that answers with several parts at once is not asked for any again`() throws
  {
    let server = try FileServer { [content] request, _ in
      guard request.start != nil else { return .file(content, to: request) }
      return FileServer.Answer(
        status: 206, fields: ["Content-Type": "multipart/byteranges; boundary=x"],
        body: Array("--x\r\nContent-Range: bytes 0-1/300000\r\n\r\nab\r\n--x--\r\n".utf8))
    }
    let finished = try download.run("--connections", "3", server.address())
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(download.content() == content)
  }

  @Test func `each may be sent on as often as a whole file, and from where it asked itself`() throws
  {
    let asked = Tally()
    let server = try FileServer { [content] request, _ in
      guard let start = request.start else { return .file(content, to: request) }
      let times = asked.count(start)
      let next = times == 1 ? "a/file.bin" : "../b/file.bin"
      if times <= 2 { return FileServer.Answer(status: 302, fields: ["Location": next]) }
      return request.path.hasPrefix("/b/")
        ? .file(content, to: request) : FileServer.Answer(status: 404)
    }
    try download.sandbox.write("X-Client: 7", to: "fields")
    let finished = try download.run(
      "--header-file", "fields", "--connections", "16", server.address())
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(download.content() == content)
    #expect(server.requests.count == 1 + 15 * 3)
  }

  @Test func `what lies behind the end of the file after a power cut never came`() throws {
    let server = try FileServer { [content] request, _ in .file(content, to: request) }
    try Data(content.prefix(20_000)).write(
      to: URL(filePath: download.sandbox.path("file.bin.part")))
    let notes = """
      {"address":"\(server.address())","validator":"\\"one\\"","total":300000,"refusesRanges":false,
      "boot":"another start of the machine","pieces":[],
      "durable":[{"start":0,"end":300000,"done":50000}]}
      """
    try download.sandbox.write(notes, to: "file.bin.part.notes")
    #expect(try download.run(server.address()).status == 0)
    #expect(download.content() == content)
    #expect(server.requests.map(\.start) == [nil])
  }
}

import JobFiles
import TestKit
import Testing

@testable import TransferJob

@Suite struct `Rules of a transfer` {
  @Test(
    arguments: [
      ("attachment; filename=\"a b.txt\"", "a b.txt"),
      ("attachment; filename=plain.txt", "plain.txt"),
      (
        "attachment; filename=\"x.txt\"; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt", "naïve €.txt"
      ),
      ("attachment; filename=\"semi;colon.txt\"", "semi;colon.txt"),
      ("attachment; filename=\"../../.ssh/authorized_keys\"", "authorized_keys"),
      ("attachment; filename=\"C:\\\\Windows\\\\evil.exe\"", "evil.exe"),
      ("attachment; filename=\".bashrc\"", "bashrc"),
      ("attachment; filename=\"a\u{202E}gpj.exe\"", "agpj.exe"),
      ("attachment; filename=\"..\"", nil),
      ("attachment", nil),
    ] as [(String, String?)])
  func `a name from the server stays in its folder`(value: String, name: String?) {
    #expect(FileName.inDisposition(value)?.description == name)
  }

  @Test func `a long name leaves room for what is put behind it, and is cut between letters`()
    throws
  {
    let name = try #require(FileName.safe(Array(String(repeating: "ü", count: 300).utf8)))
    #expect(name.bytes.count == 200 && name.isUTF8)
  }

  @Test(
    arguments: [
      (
        "https://example.org/a/b.tar.gz?x=/y#z", "https://example.org/a/b.tar.gz?x=/y#z", "b.tar.gz"
      ),
      ("HTTP://me:pass@example.org", "HTTP://…@example.org", nil),
      ("https://me:p@ss@example.org:8080/x/", "https://…@example.org:8080/x/", "x"),
      ("https://example.org/%2e%2e%2fetc", "https://example.org/%2e%2e%2fetc", "etc"),
    ] as [(String, String, String?)])
  func `an address is shown without its password and names a file`(
    text: String, shown: String, name: String?
  ) throws {
    let address = try WebAddress(text)
    #expect(address.shown == shown)
    #expect(address.fileName?.description == name)
  }

  @Test func `the rest is divided, and the piece under way keeps what it has`() {
    let pieces = Piece.split(Piece(start: 0, end: 101, done: 1), into: 3)
    #expect(
      pieces == [
        Piece(start: 0, end: 34, done: 1), Piece(start: 34, end: 67), Piece(start: 67, end: 101),
      ])
    #expect(Piece.split(Piece(start: 0, end: 2), into: 4) == [Piece(start: 0, end: 2)])
  }

  @Test(
    arguments: [
      // Refused, sent elsewhere, or put off.
      (400, true), (401, true), (422, true), (307, true), (429, true), (503, true), (501, true),
      // It may have arrived.
      (200, false), (303, false), (408, false), (500, false), (502, false), (504, false),
    ])
  func `a server that answers so has not done what it was asked for`(
    status: Int, isUntaken: Bool
  ) {
    #expect(RetryRule.isUntaken(status: status) == isUntaken)
  }

  @Test func `only the head of the last answer counts, and rubbish in it is none`() {
    var head = ResponseHead()
    for line in [
      "HTTP/1.1 302 Found\r\n", "Location: /x\r\n", "ETag: \"old\"\r\n", "\r\n", "HTTP/2 206\r\n",
      "content-range: bytes 5-9/10\r\n", "no colon\r\n", "Last-Modified: yesterday\r\n",
      "retry-after: 99999999\r\n",
    ] { head.take(Array(line.utf8)) }
    #expect(head.status == 206 && head.validator == "yesterday")
    let range = head.contentRange
    #expect(range?.start == 5 && range?.end == 10 && range?.total == 10)
    #expect(head.retryAfter == .seconds(86_400))
    for rubbish in [
      "bytes 9-5/10", "bytes -1-5/9", "bytes */10", "lines 1-2/3", "bytes 1-9223372036854775807/*",
    ] {
      var head = ResponseHead()
      head.take(Array("Content-Range: \(rubbish)".utf8))
      #expect(head.contentRange == nil, "\(rubbish)")
    }
  }

  @Test(arguments: [
    ("7", Duration.seconds(7)), ("-7", .zero), ("Fri, 31 Dec 1999 23:59:59 GMT", .zero),
    ("Wed, 31 Dec 2990 23:59:59 GMT", .seconds(86_400)), ("soon", nil), ("", nil),
  ])
  func `a server asks for a wait in seconds, or up to a date`(text: String, wait: Duration?) {
    var head = ResponseHead()
    head.take(Array("Retry-After: \(text)\r\n".utf8))
    #expect(head.retryAfter == wait)
  }

  @Test(arguments: [("download", DownloadArguments.usage), ("upload", UploadArguments.usage)])
  func `the help of the definition tells every option of the program`(
    job: String, usage: String
  ) throws {
    let help = try withSandbox {
      try $0.run("jobrun", ["help", job], directory: BuiltProducts.packageRoot).output
    }
    for line in usage.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let flag = words.first, flag.hasPrefix("--"), flag != "--help" else { continue }
      #expect(help.contains("\n  \(flag)"), "\(flag) is not in \(help)")
    }
  }

  @Test func `tries grow rarer up to a minute, and later still if the server says so`() {
    let waits = (1...9).map { RetryRule.delay(after: $0, asked: nil, random: 0) }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    #expect(RetryRule.delay(after: 1, asked: .seconds(90), random: 1) == .seconds(90))
    #expect(RetryRule.delay(after: 3, asked: nil, random: 1) == .seconds(3))
  }

  @Test func `a network that is away costs no try; a server that is gone is given up`() {
    var retries = Retries()
    for _ in 0..<50 {
      #expect(retries.add(0, reason: "x", asked: nil, brought: 0, isAway: true) != nil)
    }
    let waits = (0..<10).map { _ in
      retries.add(0, reason: "x", asked: nil, brought: 0, isAway: false)
    }
    #expect(waits.last == .some(nil))
    #expect(waits.dropLast(2).allSatisfy { $0 != nil })
    for _ in 0..<50 {
      #expect(retries.add(0, reason: "x", asked: nil, brought: 1, isAway: false) != nil)
    }
  }
}

import JobWire
import Testing

@Suite struct `A name and password in an address` {
  @Test(
    arguments: [
      ("https://me:hush@host/x", "https://…@host/x"),
      ("https://token@host", "https://…@host"),
      ("HTTP://me:p@ss@host:80/x", "HTTP://…@host:80/x"),
      ("https://me:hu/sh@host/x", "https://…@host/x"),
      ("http://me:h sh@host/x", "http://…@host/x"),
      ("from=http://a:b@c/,to=ftp://d:e@f/", "from=http://…@c/,to=ftp://…@f/"),
      ("postgres://me:hush@[::1]:5432/x", "postgres://…@[::1]:5432/x"),
      ("fatal: 'https://me:hush@host/x/' is gone", "fatal: 'https://…@host/x/' is gone"),
      ("git+ssh://me:hush@host", "git+ssh://…@host"),
    ])
  func `is not shown`(text: String, shown: String) {
    #expect(AddressLogin.hidden(in: text) == shown)
  }

  @Test(
    arguments: [
      "https://host/@scope/name", "http://[::1]:80/@x", "http://h and me@host", "ssh://git@host/x",
      "me@host:path", "://", "@", "a://", "http://h:80/?mail=me@host", "://@",
    ])
  func `is nothing else`(text: String) {
    #expect(AddressLogin.hidden(in: text) == text)
  }

  @Test func `stays within its word of a command line`() {
    let words = Array("run\u{0}http://h:x/\u{0}me@host\u{0}http://a:b@c\u{0}".utf8)
    let ranges = AddressLogin.ranges(in: words[...])
    #expect(ranges.map { String(decoding: words[$0], as: UTF8.self) } == ["a:b"])
  }

  @Test func `is not in a command as it is shown`() {
    let command = ExecutedCommand(
      directory: Array("/".utf8), arguments: [Array("curl".utf8), Array("http://a:b@c".utf8)])
    #expect(command.command == ["curl", "http://…@c"])
    let template = CommandTemplate([Array("get {}".utf8)])
    let title = template.shown(with: .init([Array("http://a:b@c".utf8)[...]]), bytes: 100)
    #expect(title == "get http://…@c")
  }

  @Test func `is found in time that grows with the text`() {
    // A search of the whole rest for each address would take minutes.
    let addresses = String(repeating: "http://x:y ", count: 40_000)
    #expect(AddressLogin.hidden(in: "a@" + addresses) == "a@" + addresses)
  }
}

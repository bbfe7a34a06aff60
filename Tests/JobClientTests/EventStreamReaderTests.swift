import JobClient
import JobCore
import Testing

@Suite struct `A stream of server-sent events` {
  private func items(_ text: String) -> [EventStreamReader.Item] {
    var reader = EventStreamReader()
    return reader.take(Array(text.utf8))
  }

  private func event(_ data: String) -> EventStreamReader.Item { .event(Array(data.utf8)) }

  @Test(arguments: ["\n", "\r", "\r\n"])
  func `ends its lines in any of three ways, and its events with an empty one`(end: String) {
    let text = [":hello", "data: {\"a\":", "data:1}", "", "", "data: 2", "", "data: 3"]
      .joined(separator: end)
    #expect(items("\u{FEFF}" + text) == [event("{\"a\":\n1}"), event("2")])
  }

  @Test func `comes in pieces of any size`() {
    var reader = EventStreamReader()
    var found: [EventStreamReader.Item] = []
    for byte in "id: 7\r\ndata: {}\r\n\r\ndata: []\r\n\r\n".utf8 { found += reader.take([byte]) }
    #expect(found == [event("{}"), event("[]")])
    #expect(reader.lastID == "7")
  }

  @Test func `says where to go on, once the event is whole, and how long to wait`() {
    var reader = EventStreamReader(after: "6")
    _ = reader.take(Array("id: 7\ndata: 1\n".utf8))
    #expect(reader.lastID == "6")
    _ = reader.take(Array("\nretry: 2500\nretry: soon\nid: a\u{1}b\n\n".utf8))
    #expect(reader.lastID == "7" && reader.pause == .milliseconds(2500))
    _ = reader.take(Array("retry: 99999999999\n".utf8))
    #expect(reader.pause == .seconds(3600))
  }

  @Test func `of other kinds is not for us, and what is no event is garbage`() {
    #expect(items("event: keepalive\ndata: {}\n\nevent: push\ndata: 1\n\n") == [event("1")])
    #expect(
      items("<html>\n\ndata: {\n\ndata: \(String(repeating: "1", count: 70_000))\n\n") == [
        .garbage("a line that begins with \"<html>\""),
        .garbage("an event whose data is not JSON"),
        .garbage("an event of more than 65536 bytes"),
      ])
  }

  @Test func `a line without an end takes no more memory than an event may`() {
    var reader = EventStreamReader()
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<16 { #expect(reader.take(block).isEmpty) }
    #expect(reader.take(Array("\n\ndata: 1\n\n".utf8)).last == event("1"))
  }
}

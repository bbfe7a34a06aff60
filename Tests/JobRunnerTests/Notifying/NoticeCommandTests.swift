import JobRunner
import JobWire
import Testing

/// What curl and sendmail are given; no address is among the arguments.
@Suite struct NoticeCommandTests {
  private func order(_ summary: String, _ body: String) -> NoticeOrder {
    var order = NoticeOrder(.show)
    (order.summary, order.body) = (summary, body)
    return order
  }

  private func text(_ command: NoticeCommand) -> String {
    String(decoding: command.input, as: UTF8.self)
  }

  @Test func `a topic gets a title and a text`() {
    let command = NoticeCommand(
      order("Trip \"2026\" failed", "Job 1 ended.\njobrun log 1"), to: .ntfy("https://n.org/t"))
    #expect(command.arguments == ["curl", "--disable", "--config", "-"])
    let lines = text(command).split(separator: "\n").map(String.init)
    #expect(lines.contains(#"url = "https://n.org/t""#))
    #expect(lines.contains(#"data-raw = "Job 1 ended.\njobrun log 1""#))
    #expect(lines.contains(#"header = "Title: Trip \"2026\" failed""#))
    #expect(lines.contains(#"header = "Priority: default""#))
  }

  @Test func `a webhook gets JSON`() {
    let command = NoticeCommand(order("A", "b"), to: .webhook("https://h.org/x"))
    #expect(
      text(command).contains(
        #"data-raw = "{\"title\":\"A\",\"message\":\"b\",\"text\":\"A\\nb\",\"content\":\"A\\nb\"}""#
      ))
  }

  @Test func `a mail has a subject in ASCII`() {
    let command = NoticeCommand(order("Größe succeeded", "Job 1"), to: .mail("me@a.org"))
    #expect(command.arguments == ["sendmail", "-i", "-t"])
    #expect(
      text(command).hasPrefix(
        "To: me@a.org\nSubject: =?UTF-8?B?R3LDtsOfZSBzdWNjZWVkZWQ=?=\nMIME-Version: 1.0\n"))
    #expect(text(command).hasSuffix("\n\nJob 1\n"))
  }

  @Test func `a text cannot add a header or an option`() {
    let command = NoticeCommand(order("a\r\nBcc: x@y", "z\"\nurl = \"https://evil"), to: .mail("m"))
    #expect(!text(command).contains("\nBcc:"))
    let topic = NoticeCommand(order("a", "z\"\nurl = \"https://evil"), to: .ntfy("https://n.org/t"))
    #expect(text(topic).split(separator: "\n").count { $0.hasPrefix("url =") } == 1)
  }
}

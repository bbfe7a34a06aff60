import JobWire
import Testing

@Suite struct NoticeLineTests {
  @Test func `an order comes back as it was`() throws {
    var order = NoticeOrder(.show)
    order.replaces = .max
    order.summary = "Reise „2026“ <b>"
    order.body = "a\nb & \"c\""
    order.icon = "dialog-error"
    order.urgency = 2
    #expect(try NoticeOrder(line: order.line[...]) == order)
    #expect(try NoticeOrder(line: NoticeOrder(.check).line[...]) == NoticeOrder(.check))
  }

  @Test(arguments: [
    ("", #"the line is not JSON"#), ("{}", #""act" is missing"#),
    (#"{"act":"sing"}"#, #""act" must be one of show, close, check"#),
  ])
  func `half an order is none`(text: String, part: String) {
    do throws(WireError) {
      let order = try NoticeOrder(line: Array(text.utf8)[...])
      Issue.record("\(order) was read")
    } catch {
      #expect(error.message.contains(part), "\(error.message)")
    }
  }

  @Test func `what would be markup shows as it is`() {
    var order = NoticeOrder(.show)
    order.body = "a < b && c > d\n&lt;"
    #expect(order.markedUpBody == "a &lt; b &amp;&amp; c &gt; d\n&amp;lt;")
  }

  @Test func `an answer is cleaned and cut before it is shown`() throws {
    let answer = NoticeAnswer(number: 7, isDone: true, why: "\u{1b}[31mred\u{202e}\nnext")
    #expect(answer.why == "[31mred next")
    #expect(NoticeAnswer(output: answer.line) == answer)
    let long = NoticeAnswer(isDone: false, why: String(repeating: "x", count: 9999))
    #expect(try #require(NoticeAnswer(output: long.line)).why.count == 512)
    #expect(NoticeAnswer(isDone: false, why: "").why == "the helper gave no reason")
    #expect(NoticeAnswer(output: Array("Segmentation fault".utf8)) == nil)
  }
}

import JobCore
import JobWire
import TestKit
import Testing

// What is not as usual.
extension WebPageTests {
  @Test func `who waits stands in line, whoever waits for a time behind, and each has a name`()
    throws
  {
    try workshop.jobrun("runner", "pause")
    let later = ["run", "--detach", "--not-before", "+5h", "--title", "Later", "--", "true"]
    try workshop.sandbox.run("jobrun", later)
    try workshop.jobrun("run", "--detach", "--title", "First", "--", "true")
    // Zero-width spaces alone.
    try workshop.jobrun("run", "--detach", "--title", "\u{200B}\u{2060}", "--", "true")
    let page = try opened(ServedPage(workshop))
    let unseen = try workshop.show(3).identifier
    try page.wait(
      until: "[...document.querySelectorAll('#live .title')].map((t) => t.textContent).join()"
        + " === 'First,\(unseen),Later'")
  }

  @Test func `a page whose server has ended says so, and does not go on counting`() throws {
    _ = try workshop.jobrun("run", "--detach", "--", "sleep", "1000")
    let served = try ServedPage(workshop)
    let page = try opened(served)
    served.process.signal(2)
    try page.wait(until: "document.querySelector('#link').dataset.state === 'gone'")
    #expect(
      try page.text("document.querySelector('#notice:not([hidden])').textContent")
        .contains("does not answer any more"))
  }

  @Test func `what failed says why, and ended when it did, whatever the clock of the browser`()
    throws
  {
    try workshop.jobrun("run", "--title", "Odd", "--", "sh", "-c", "exit 3")
    let served = try ServedPage(workshop)
    let page = try opened(served)
    try page.call(
      "Page.addScriptToEvaluateOnNewDocument",
      ["source": "const real = Date.now; Date.now = () => real() + 7200e3;"])
    try page.open(served.origin, until: Self.live)
    try page.press("#tab-then")
    try page.wait(
      until: "document.querySelector('#ended .row .sub').textContent === 'exit code 3'")
    #expect(try page.text("document.querySelector('[aria-checked=true]').textContent") == "Hour")
  }
}

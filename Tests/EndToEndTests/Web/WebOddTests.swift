import JobCore
import JobWire
import TestKit
import Testing

// Unusual situations.
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

  @Test func `a job that is held has no place in the queue, and a picture moves nothing`() throws {
    try workshop.jobrun("runner", "pause")
    _ = try workshop.jobrun("run", "--detach", "--hold", "--title", "Held", "--", "true")
    _ = try workshop.jobrun("run", "--detach", "--title", "First", "--", "true")
    _ = try workshop.jobrun("run", "--detach", "--title", "Second", "--", "true")
    let page = try opened(ServedPage(workshop))
    let below = "[...document.querySelectorAll('#live .row')].map((r) => r.innerText).join('|')"
    try page.wait(until: "document.querySelectorAll('#live .row').length === 3")
    let rows = try page.text(below).split(separator: "|")
    let held = try #require(rows.first { $0.contains("Held") })
    #expect(!held.contains("queue") && !held.contains("next"), "\(held)")
    #expect(rows.contains { $0.contains("Second") && $0.contains("in the queue") }, "\(rows)")
    // What has ended stands below a picture, and is seen once that is there.
    try page.press("#tab-then")
    try page.wait(until: "!document.querySelector('#timeline').classList.contains('early')")
    let seen = "getComputedStyle(document.querySelector('#nothing')).visibility"
    #expect(try page.text(seen) == "visible")
  }

  @Test func `a page whose server has ended says so, and finds back once it is there again`()
    throws
  {
    _ = try workshop.jobrun("run", "--detach", "--title", "Long", "--", "sleep", "1000")
    let served = try ServedPage(workshop)
    let page = try opened(served)
    try page.wait(until: "document.querySelector('#live .title')?.textContent === 'Long'")
    try page.press(".open")
    try page.wait(until: "document.querySelector('#facts').textContent.includes('Identifier')")
    served.process.signal(2)
    _ = try served.process.wait()
    // The notice is visible in all places, and the known content stays.
    for place in ["#notice", "#job .notice"] {
      try page.wait(
        until: "document.querySelector('\(place):not([hidden])')?.textContent"
          + ".startsWith('Connection lost')")
    }
    #expect(try page.text("document.querySelector('#live .title').textContent") == "Long")
    #expect(try page.value("document.body.hasAttribute('data-old')") as? Bool == true)
    let again = try ServedPage(workshop, port: served.port)
    try page.wait(until: Self.live)
    try page.wait(until: "document.querySelector('#notice').hidden")
    try workshop.jobrun("cancel", "1")
    try page.wait(until: "document.querySelector('#job .chip').textContent === 'cancelled'")
    withExtendedLifetime(again) {}
  }

  @Test func `whoever takes the port meanwhile is not shown the key`() throws {
    let served = try ServedPage(workshop)
    let key = try served.key(workshop)
    let proof = try served.ask(workshop, "/proof?nonce=abc")
    let expected = try workshop.sandbox.run(
      "sh", ["-c", "printf '%s abc' \(key) | sha256sum | cut -d ' ' -f 1 | tr -d '\\n'"]
    ).output
    #expect(proof.hasSuffix("\r\n\r\n\(expected)"), "\(proof)")
    #expect(!proof.contains(key))
    // A read-only page has a separate key, even on the same port.
    served.process.signal(2)
    _ = try served.process.wait()
    let looking = try ServedPage(workshop, port: served.port, "--read-only")
    #expect(try looking.key(workshop) != key)
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

  @Test func `what is only recognised is not whole before the job has ended, as in a terminal`()
    throws
  {
    let page = try opened(ServedPage(workshop))
    _ = try workshop.jobrun(
      "run", "--detach", "--", "sh", "-c",
      "for n in 1 2 3; do echo \"[$n/3] all\"; done; read x < \"$0\"",
      workshop.gate)
    try page.wait(
      until: "document.querySelector('#live .nums')?.textContent.includes('goes on')")
    #expect(!(try page.text("document.querySelector('#live .nums').textContent").contains("%")))
    let opened = try workshop.openGate()
    // In one question: what has ended leaves the list after some seconds.
    try page.wait(
      until: "document.querySelector('#live .chip').textContent === 'succeeded' && "
        + "document.querySelector('#live [role=progressbar]').ariaValueNow === '100'")
    withExtendedLifetime(opened) {}
  }

  @Test func `in a picture of many short jobs the one that failed is seen`() throws {
    let inputs = (1...80).map(String.init).joined(separator: "\n")
    let swept = try workshop.sandbox.run(
      "jobrun", ["each", "--", "sh", "-c", "test {} != 40", "::::", "inputs"],
      environment: ["X": try workshop.sandbox.write(inputs + "\n", to: "inputs")])
    #expect(swept.status == 1, "\(swept.errors)")
    // Makes all of them a few pixels wide: they have a fifth of the picture, however long they took.
    let (first, last) = (try workshop.show(1), try workshop.show(80))
    let took = try #require(last.ended).milliseconds - #require(first.started).milliseconds
    try workshop.jobrun("run", "--", "sleep", "\(max(1, 4 * Double(took) / 1_000))")
    let page = try opened(ServedPage(workshop), width: 360, height: 640)
    try page.press("#tab-then")
    try page.wait(until: "document.querySelectorAll('#timeline a').length > 1")
    #expect(
      try page.value("document.querySelectorAll('#timeline a').length < 60") as? Bool == true)
    #expect(
      try page.value("document.querySelectorAll('#timeline a > .bad').length") as? Int
        == 1)
    let report = try workshop.jobrun("report", "--since", "1h").output
    let bars = report.matches(of: /<rect class="(good|bad)" x/).map(\.1)
    #expect(bars.count > 40 && bars.last == "bad")
  }

  @Test func `of what is over those of one outcome are shown alone, and all again`() throws {
    for command in ["true", "false", "true"] { try workshop.jobrun("run", "--", command) }
    let page = try opened(ServedPage(workshop))
    func rows(_ count: Int) throws {
      try page.wait(until: "document.querySelectorAll('#ended .row').length === \(count)")
    }
    try page.press("#tab-then")
    // The picture comes from the server, and moves what is below it.
    try page.wait(until: "document.querySelector('#timeline a') !== null")
    try rows(3)
    #expect(
      try page.text("document.querySelector('#tally').textContent") == "2 succeeded · 1 failed")
    let failed = "#tally [data-outcome=failed]"
    try page.press(failed)
    try rows(1)
    #expect(try page.text("document.querySelector('\(failed)').ariaPressed") == "true")
    #expect(try page.text("document.querySelector('#ended .chip').textContent") == "failed")
    try page.press(failed)
    try rows(3)
  }
}

import JobCore
import JobWire
import TestKit
import Testing

// Jobs of a group on the page.
extension WebPageTests {
  @Test func `a group is one line that opens, and a job of it that asks is always seen`() throws {
    try workshop.defineSteps()
    try workshop.jobrun("group", "render", "--slots", "1")
    for title in ["First", "Second", "Third"] {
      _ = try workshop.submit("steps", "--group", "render", "--title", title)
    }
    _ = try workshop.jobrun("run", "--detach", "--title", "Alone", "--", "sleep", "1000")
    try workshop.awaitReady(1)
    let page = try opened(ServedPage(workshop))
    func wait(_ titles: String) throws {
      try page.wait(
        until: "[...document.querySelectorAll('#live .title')].map((t) => t.textContent).join()"
          + " === '\(titles)'")
    }
    func wait(sub: String, share: Int) throws {
      try page.wait(
        until: "document.querySelector('.group .sub').textContent === '\(sub)' && "
          + "document.querySelector('.group .bar').getAttribute('aria-valuenow') === '\(share)'")
    }
    try wait("render,Alone")
    try wait(sub: "0 of 3 jobs ended", share: 0)
    for _ in 0..<2 { try workshop.step() }
    try wait(sub: "0 of 3 jobs ended", share: 16)
    for _ in 0..<2 { try workshop.step() }
    try wait(sub: "1 of 3 jobs ended", share: 33)
    try workshop.awaitReady(2)
    try workshop.jobrun("simulate", "stall", "2")
    try wait("render,Second,Alone")
    try page.wait(
      until: "document.querySelector('.group .chip').textContent === 'waiting for an answer'")
    try page.press(".member .ask .main")
    try wait("render,Alone")
    try page.press(".group .open")
    try page.wait(
      until: "document.querySelector('.group .open').getAttribute('aria-expanded') === 'true'")
    try wait("render,Second,Third,Alone")
    try page.press(".group .open")
    try wait("render,Alone")
    // The outcomes of jobs that ended before the page was opened.
    let later = try opened(ServedPage(workshop))
    try later.wait(
      until: "document.querySelector('.group .sub')?.textContent === '1 of 3 jobs ended'")
    try workshop.jobrun("cancel", "group:render")
    try wait(sub: "3 of 3 jobs ended · 2 cancelled", share: 100)
    try wait("Alone")
  }
}

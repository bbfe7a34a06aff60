import Foundation
import JobCore
import JobWire
import TestKit
import Testing

// Several jobs that are marked, pauses for a time, titles and links on the page.
extension WebPageTests {
  private func press(_ words: String, in box: String, on page: BrowserPage) throws {
    let button =
      "[...document.querySelectorAll('\(box) button')].find((b) => b.textContent === '\(words)')"
    try page.wait(until: "\(button) !== undefined")
    _ = try page.value("\(button).click()")
  }

  private func mark(_ numbers: UInt64..., on page: BrowserPage) throws {
    for number in numbers {
      let box = "document.querySelector('[aria-label=\"Mark job \(number)\"]')"
      try page.wait(until: "\(box) !== null")
      _ = try page.value("\(box).click()")
    }
  }

  @Test func `jobs that are marked are paused, resumed, cancelled and tried again at once`() throws
  {
    try workshop.define("talk", "echo \"$JOBRUN_JOB\" > \"$READY.$JOBRUN_JOB\"; sleep 1000")
    try workshop.jobrun("slots", "4")
    for _ in 1...4 { _ = try workshop.submit("talk", "--silent-after", "never") }
    for number in 1...4 as ClosedRange<UInt64> { try workshop.awaitReady(number) }
    let page = try opened(ServedPage(workshop))
    func wait(_ states: String) throws {
      try page.wait(
        until: "[...document.querySelectorAll('#live .chip')].map((c) => c.textContent).join()"
          + " === '\(states)'")
    }
    try mark(1, 2, 4, on: page)
    try page.wait(until: "document.querySelector('#marked span').textContent === '3 marked'")
    try press("Pause", in: "#marked", on: page)
    try wait("paused,paused,running,paused")
    try press("Resume", in: "#marked", on: page)
    try wait("running,running,running,running")
    try press("Cancel…", in: "#marked", on: page)
    try press("Keep them", in: "#marked", on: page)
    try press("Cancel…", in: "#marked", on: page)
    try press("Cancel 3 jobs", in: "#marked", on: page)
    for number in [1, 2, 4] as [UInt64] {
      #expect(try workshop.waitForEnd(number).outcome == .cancelled)
    }
    #expect(try workshop.show(3).state == .running)
    #expect(try page.value("document.querySelector('#marked').hidden") as? Bool == true)
    try page.press("#tab-then")
    // Nothing stays marked when another tab is shown.
    try page.wait(until: "!document.querySelector('#then').hidden")
    try mark(1, 4, on: page)
    try press("Try again", in: "#marked", on: page)
    // The page sends it after the press has returned.
    for number in [1, 4] as [UInt64] {
      try WaitFor.answer("job \(number) to run again") { try workshop.show(number).attempt == 2 }
    }
    try workshop.jobrun("wait", "1", "4", "--until", "running")
    #expect(try workshop.show(1).attempt == 2 && workshop.show(2).attempt == 1)
  }

  @Test func `a read-only page marks nothing, and every page copies its link`() throws {
    _ = try workshop.jobrun("run", "--detach", "--", "sleep", "1000")
    let page = try opened(ServedPage(workshop, "--read-only"))
    try page.wait(until: "document.querySelector('#live .row') !== null")
    #expect(try page.value("document.querySelector('#live .mark').hidden") as? Bool == true)
    _ = try page.value(
      "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }"
    )
    try page.press("#live .open")
    try page.press("#job .copy")
    #expect(try page.text("window.copied") == "\(page.text("location.origin"))/#/jobs/1")
    try page.wait(until: "document.querySelector('#spoken').textContent === 'Link copied'")
  }

  @Test func `a paused job is told to resume in ten minutes, and says so`() throws {
    try workshop.define("talk", "echo \"$JOBRUN_JOB\" > \"$READY.1\"; sleep 1000")
    _ = try workshop.submit("talk", "--silent-after", "never")
    try workshop.awaitReady(1)
    let page = try opened(ServedPage(workshop))
    try page.wait(until: "document.querySelector('.open') !== null")
    try page.press(".open")
    try press("Pause", in: "#job .acts", on: page)
    try press("Resume in 10 min", in: "#job .acts", on: page)
    for place in ["#live .nums", "#job .nums"] {
      try page.wait(
        until: "document.querySelector('\(place)').textContent.includes('resumes in 10 min')")
    }
    #expect(try workshop.show(1).paused?.until != nil)
    try press("Stay paused", in: "#job .acts", on: page)
    try page.wait(
      until: "!document.querySelector('#job .nums').textContent.includes('resumes in')")
    #expect(try workshop.show(1).paused?.until == nil)
    #expect(try workshop.show(1).state == .paused)
  }

  @Test func `a waiting job gets another title, and what cannot be one is refused`() throws {
    try workshop.jobrun("run", "--detach", "--hold", "--title", "Frist", "--", "true")
    let page = try opened(ServedPage(workshop))
    try page.wait(until: "document.querySelector('.open') !== null")
    try page.press(".open")
    try press("Rename…", in: "#job .acts", on: page)
    #expect(try page.text("document.querySelector('#job .acts input').value") == "Frist")
    _ = try page.value("document.querySelector('#job .acts input').value = 'First & last?'")
    try press("Rename", in: "#job .acts", on: page)
    try page.wait(
      until: "document.querySelector('#job-title').textContent === '1 First & last?'")
    #expect(try workshop.show(1).title == "First & last?")
    try press("Rename…", in: "#job .acts", on: page)
    _ = try page.value("document.querySelector('#job .acts input').value = ''")
    try press("Rename", in: "#job .acts", on: page)
    try page.wait(until: "document.querySelector('#job .notice').textContent.includes('title')")
  }

  @Test func `the history shows when a job waited, ran and was paused`() throws {
    try workshop.define("talk", "echo \"$JOBRUN_JOB\" > \"$READY.1\"; sleep 1000")
    _ = try workshop.submit("talk", "--silent-after", "never", "--title", "<img src=x>")
    try workshop.awaitReady(1)
    _ = try workshop.jobrun("run", "--", "sleep", "2")
    try workshop.jobrun("pause", "1")
    _ = try workshop.jobrun("run", "--", "sleep", "2")
    try workshop.jobrun("resume", "1")
    _ = try workshop.jobrun("run", "--", "sleep", "2")
    let page = try opened(ServedPage(workshop))
    try page.press("#tab-then")
    try page.wait(until: "document.querySelector('#timeline a') !== null")
    let bars = "document.querySelector('#timeline a[href=\"#/jobs/1\"]')"
    #expect(
      try page.text(
        "[...\(bars).querySelectorAll('rect:not(.over)')].map((r) => r.getAttribute('class')).join()"
      )
      .hasSuffix("going,paused,going"))
    // Its title is text.
    #expect(try page.text("\(bars).querySelector('title').textContent") == "1 <img src=x>, running")
    #expect(try page.value("document.querySelector('#timeline img') === null") as? Bool == true)
    let report = try workshop.jobrun("report", "--since", "1h").output
    let classes = report.components(separatedBy: "\n").compactMap { line in
      line.hasPrefix("<rect class=\"") ? line.split(separator: "\"")[1] : nil
    }
    let bar = classes.filter { $0 != "over" }.joined(separator: ",")
    #expect(bar.contains("going,paused,going"), "\(bar)")
    _ = try page.value(
      "\(bars).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))")
    try page.wait(until: "document.querySelector('#job').open")
  }
}

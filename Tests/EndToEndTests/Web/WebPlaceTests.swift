import JobCore
import JobWire
import TestKit
import Testing

// Addresses, batches, and logs of any length.
extension WebPageTests {
  @Test func `each job, group and tab has an address, and the way back works`() throws {
    try workshop.jobrun("group", "render", "--slots", "1")
    _ = try workshop.jobrun(
      "run", "--detach", "--group", "render", "--title", "Frame", "--", "sleep", "1000")
    let page = try opened(ServedPage(workshop))
    try page.wait(until: "document.querySelector('.group') !== null")
    try page.press("#tab-then")
    try page.wait(until: "location.hash === '#/history' && !document.querySelector('#then').hidden")
    _ = try page.value("location.hash = '#/jobs/1'")
    try page.wait(until: "document.querySelector('#job').open")
    try page.wait(until: "document.querySelector('#job-title').textContent === '1 Frame'")
    _ = try page.value("history.back()")
    try page.wait(until: "!document.querySelector('#job').open")
    #expect(try page.value("document.querySelector('#then').hidden") as? Bool == false)
    _ = try page.value("location.hash = '#/groups/render'")
    try page.wait(until: "document.querySelector('#members button') !== null")
    // Actions that end jobs ask first.
    try page.press("#group .acts .harm")
    try page.wait(
      until: "document.querySelector('#group .acts .harm').textContent === 'Cancel the job'")
    #expect(try workshop.show(1).stopReason == nil)
    try page.press("#group .acts .harm")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    try page.key("Escape")
    try page.wait(until: "location.hash === '#/history'")
  }

  @Test func `a batch is one line now and in the history, and what failed today is seen at once`()
    throws
  {
    try workshop.sandbox.run(
      "jobrun",
      ["each", "--title", "Frame", "--", "sh", "-c", "test {} != 3", ":::", "1", "2", "3", "4"])
    let page = try opened(ServedPage(workshop))
    try page.wait(
      until: "document.querySelector('#failed .title')?.textContent === 'Frame 3'")
    try page.press("#tab-then")
    // The picture comes from the server, and moves what is below it.
    try page.wait(until: "document.querySelector('#timeline a') !== null")
    try page.wait(until: "document.querySelectorAll('#ended .row').length === 1")
    #expect(
      try page.text("document.querySelector('#ended .title').textContent") == "Frame … (4)")
    #expect(
      try page.text("document.querySelector('#ended .sub').textContent")
        == "4 of 4 jobs ended · 1 failed")
    try page.press("#ended .open")
    try page.wait(
      until: "[...document.querySelectorAll('#ended .title')].map((t) => t.textContent).join()"
        + ".startsWith('Frame … (4),Frame 3,Frame ')")
    #expect(try page.value("document.querySelectorAll('#ended .title').length") as? Int == 5)
  }

  @Test func `a log of any length is leafed through and searched, in its colours`() throws {
    try workshop.jobrun(
      "run", "--", "sh", "-c",
      "printf '\\033[31mfirst\\033[0m\\n'; seq 400000; echo Error: no such file; seq 400000")
    let page = try opened(ServedPage(workshop))
    _ = try page.value("location.hash = '#/jobs/1'")
    try page.wait(until: "document.querySelector('#log').textContent.endsWith('400000\\n')")
    // Only a part of it is loaded.
    #expect(
      try page.value("document.querySelector('#log').textContent.length < 100000") as? Bool == true)
    #expect(
      try page.text("document.querySelector('#log-place').textContent").hasSuffix("of 5.4 MB"))
    _ = try page.value(
      "document.querySelector('#find').value = 'error: no', document.querySelector('#find-on').click()"
    )
    try page.wait(until: "document.querySelector('#log mark')?.textContent === 'Error: no'")
    _ = try page.value(
      "document.querySelector('#log-at').value = 0, document.querySelector('#log-at').onchange()")
    try page.wait(until: "document.querySelector('#log .c1')?.textContent === 'first'")
    // The visible part is loaded.
    _ = try page.value("document.querySelector('#log').scrollTop = 1e9")
    try page.wait(until: "document.querySelector('#log').textContent.length > 100000")
  }

  @Test func `a line on which nothing is heard any more is tried anew`() throws {
    let page = try opened(ServedPage(workshop))
    _ = try page.value(
      """
      window.seen = [];
      const link = document.querySelector('#link');
      new MutationObserver(() => seen.push(link.dataset.state)).observe(link, { attributes: true });
      const real = Date.now;
      Date.now = () => real() + 60e3;
      true
      """)
    try page.wait(until: "window.seen.join().includes('waiting,live')")
    _ = try workshop.jobrun("run", "--detach", "--title", "Later", "--", "sleep", "1000")
    try page.wait(until: "document.querySelector('#live .title')?.textContent === 'Later'")
  }
}

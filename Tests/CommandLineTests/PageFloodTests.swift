import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The page of `jobrun web` while there are too many events to show.
@Suite struct PageFloodTests {
  /// 500 jobs that come, and then stall and advance by turns: each fifth ends up stalled.
  private static func flood() -> [UInt8] {
    let kinds: [(Announcement.Kind, JobStatus.State)] = [
      (.submitted, .queued), (.stalled, .stalled), (.advanced, .running),
    ]
    // The lines are formatted once and sent often: only the numbers of events differ.
    let lines = (1...500).map { number in
      kinds.map { kind, state in
        var job = Sample.job(state, title: "Job \(number)")
        job.number = JobNumber(UInt64(number))
        job.progress = JobProgress(completed: 1, total: 10)
        var bytes: [UInt8] = []
        FeedLine.event(sequence: 0, at: WallTime(milliseconds: 0), kind, job).append(to: &bytes)
        return bytes.dropFirst("{\"seq\":0".utf8.count)
      }
    }
    var (bytes, sequence): ([UInt8], Int) = ([], 0)
    for step in 0..<40 {
      for (index, job) in lines.enumerated() {
        sequence += 1
        let isLast = step == 39
        let kind = step == 0 ? 0 : isLast && index % 5 == 4 ? 1 : isLast ? 2 : 1 + step % 2
        bytes += Array("{\"seq\":\(sequence)".utf8) + job[kind]
      }
    }
    return bytes
  }

  @Test func `20,000 events take less than half a core of two seconds, and no state is lost`()
    throws
  {
    if Browser.program == nil {
      try Test.cancel("no Chromium is installed (Debian: apt install chromium)")
    }
    let sandbox = try Sandbox()
    let fake = try FakeRunner(in: sandbox)
    let status = RunnerStatus(
      pid: 1, version: "1", started: WallTime(milliseconds: 0), home: "/nowhere", socket: "/s")
    let server = try sandbox.start("jobrun", ["web", "--port", "0", "--json"])
    let link = try fake.visitor()
    try link.answer(link.request().id, .status(status))
    let line = try server.wait(for: "}\n")
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let address = try #require(object?["address"] as? String)

    let browser = try Browser(sandbox)
    let page = try BrowserPage(browser)
    // It would tell each event here, too.
    try page.call("Network.disable")
    try page.call("Page.navigate", ["url": address])
    try link.answer(link.request().id, .status(status))
    try link.answer(link.request().id, .count(0))
    try link.answer(link.request().id, .status(status))
    let feed = try fake.visitor()
    try feed.answer(feed.request().id, .empty)
    try page.wait(until: "document.querySelector('#link').dataset.state === 'live'")

    let flood = Self.flood()
    let before = try browser.processorSeconds
    let clock = ContinuousClock()
    let begin = clock.now
    try feed.tell(flood)
    try page.wait(
      until: "document.querySelector('#counts').textContent === '100 questions · 400 running'")
    let used = try browser.processorSeconds - before
    let passed = max(.seconds(2), begin.duration(to: clock.now))
    #expect(.seconds(used) <= passed / 2, "\(used) s of processor time in \(passed)")
    for (number, chip) in [(499, "running"), (500, "waiting for an answer")] {
      _ = try page.value(
        "(() => { const filter = document.querySelector('#filter'); filter.value = '\(number)';"
          + " filter.dispatchEvent(new Event('input')); })()")
      try page.wait(
        until: "[...document.querySelectorAll('.row')].map((row) =>"
          + " row.querySelector('.title').textContent + row.querySelector('.chip').textContent)"
          + ".join() === 'Job \(number)\(chip)'")
    }
  }
}

extension Browser {
  /// The processor time of all its pages so far.
  fileprivate var processorSeconds: Double {
    get throws {
      let processes = try call("SystemInfo.getProcessInfo")["processInfo"] as? [[String: Any]]
      return (processes ?? []).filter { $0["type"] as? String == "renderer" }
        .compactMap { $0["cpuTime"] as? Double }.reduce(0, +)
    }
  }
}

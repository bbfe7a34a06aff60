import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// The page of `jobrun web` in a real browser.
@Suite(
  .serialized,
  .enabled(if: Browser.program != nil, "no Chromium is installed (Debian: apt install chromium)"))
struct WebPageTests {
  let workshop: Workshop
  private let browser: Browser
  /// The servers, until the test has ended.
  private let servers = Servers()

  private final class Servers {
    var all: [ServedPage] = []
  }

  init() throws {
    workshop = try Workshop()
    browser = try Browser(workshop.sandbox)
  }

  static let live = "document.querySelector('#link').dataset.state === 'live'"

  func opened(
    _ served: ServedPage, width: Int = 1440, height: Int = 900, isDark: Bool = false,
    hides: Bool = false
  ) throws -> BrowserPage {
    servers.all.append(served)
    let page = try BrowserPage(
      browser, width: width, height: height, isDark: isDark, hides: hides)
    try page.open(served.address, until: Self.live)
    return page
  }

  private static func value(_ share: Int) -> String {
    "document.querySelector('.row [role=progressbar]').getAttribute('aria-valuenow') === '\(share)'"
  }

  @Test func `a job advances and its bar follows within 300 ms`() throws {
    try workshop.defineSteps(count: 20)
    let page = try opened(ServedPage(workshop))
    _ = try workshop.submit("steps", "--title", "Twenty steps")
    try page.wait(until: Self.value(0))
    var delays: [Duration] = []
    for share in stride(from: 5, to: 100, by: 5) {
      let clock = ContinuousClock()
      let begin = clock.now
      try workshop.step()
      try page.wait(until: Self.value(share))
      delays.append(begin.duration(to: clock.now))
      // Some more when the machine was busy: it has to start two programs for each step.
      if delays.count >= 3, delays.contains(where: { $0 <= .milliseconds(300) }) { break }
    }
    #expect(try #require(delays.min()) <= .milliseconds(300), "\(delays)")
    let rest = try workshop.openGate()
    try page.wait(until: "document.querySelector('.row .chip').textContent === 'succeeded'")
    try page.wait(until: "document.querySelector('#spoken').textContent.includes('succeeded')")
    #expect(try page.text("location.href") == page.text("location.origin + '/'"))
    withExtendedLifetime(rest) {}
  }

  @Test func `the question appears, and is answered by Continue, and by Stop after asking`() throws
  {
    try workshop.defineSteps()
    _ = try workshop.submit("steps")
    try workshop.awaitReady(1)
    let page = try opened(ServedPage(workshop))
    for (button, chip) in [("main", "running"), ("harm", "cancelled")] {
      try workshop.jobrun("simulate", "stall", "1")
      try page.wait(until: "document.querySelector('.asks .sub').textContent.includes('Continue?')")
      try page.press(".ask .\(button)")
      if chip == "running" {
        try page.wait(until: "document.querySelector('.row .chip').textContent === 'running'")
        #expect(try workshop.show(1).state == .running)
      } else {
        try page.wait(
          until: "document.querySelector('.acts .harm')?.textContent === 'Stop the job'")
        #expect(try workshop.show(1).stopReason == nil)
        try page.press(".acts .harm")
      }
    }
    let ended = try workshop.waitForEnd(1)
    #expect(ended.outcome == .expired && ended.stopReason?.code == .stallDeclined)
  }

  @Test func `a job is opened, paused, resumed, and cancelled after it was asked once`() throws {
    try workshop.define("talk", "echo first words; echo \"$JOBRUN_JOB\" > \"$READY.1\"; sleep 1000")
    _ = try workshop.submit("talk", "--silent-after", "never")
    try workshop.awaitReady(1)
    let page = try opened(ServedPage(workshop))
    try page.wait(until: "document.querySelector('.open') !== null")
    try page.press(".open")
    try page.wait(until: "document.querySelector('#log').textContent === 'first words\\n'")
    func press(_ words: String) throws {
      let button =
        "[...document.querySelectorAll('.acts button')].find((b) => b.textContent === '\(words)')"
      try page.wait(until: "\(button) !== undefined")
      _ = try page.value("\(button).click()")
    }
    try press("Pause")
    try press("Resume")
    try press("Cancel…")
    #expect(try workshop.show(1).stopReason == nil)
    try press("Cancel the job")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    try page.wait(until: "document.querySelector('#job .chip').textContent === 'cancelled'")
    try page.key("Escape")
    try page.wait(until: "!document.querySelector('#job').open")
  }

  @Test func `all that a job prints is shown, the end of a fast one too`() throws {
    try workshop.define(
      "talk",
      """
      echo begun
      echo "$JOBRUN_JOB" > "$READY.$JOBRUN_JOB"
      read -r line < "$GATE"
      seq 100000 140000
      echo last words
      """)
    _ = workshop.gate
    _ = try workshop.submit("talk")
    try workshop.awaitReady(1)
    let page = try opened(ServedPage(workshop))
    try page.wait(until: "document.querySelector('.open') !== null")
    try page.press(".open")
    // At first only the end of a long log is loaded.
    try page.wait(until: "document.querySelector('#log').textContent === 'begun\\n'")
    try workshop.step()
    try page.wait(until: "document.querySelector('#log').textContent.endsWith('last words\\n')")
    #expect(
      try page.value("document.querySelector('#log').textContent.length") as? Int
        == 6 + 40_001 * 7 + 11)
  }

  @Test func `a second page of the same browser needs the address alone`() throws {
    let served = try ServedPage(workshop)
    _ = try opened(served)
    let page = try BrowserPage(browser)
    try page.open(served.origin, until: Self.live)
    #expect(try page.text("document.cookie").isEmpty)
  }

  @Test func `the runner is killed, and the page goes on where it was`() throws {
    try workshop.defineSteps()
    _ = try workshop.submit("steps")
    try workshop.awaitReady(1)
    let page = try opened(ServedPage(workshop))
    try page.wait(until: Self.value(0))
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    try workshop.step()
    try page.wait(until: Self.value(25))
    for _ in 0..<3 { try workshop.step() }
    try page.wait(until: "document.querySelector('.row .chip').textContent === 'succeeded'")
  }

  @Test func `what a job is called is text, and stays in its place`() throws {
    let page = try opened(ServedPage(workshop))
    let title = "<img src=x onerror=\"document.title='hit'\">"
    let odd = String(repeating: "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}", count: 14)
    _ = try workshop.jobrun("run", "--detach", "--title", title, "--", "sleep", "1000")
    _ = try workshop.jobrun("run", "--detach", "--title", odd, "--", "sleep", "1000")
    try page.wait(until: "document.querySelectorAll('.row').length === 2")
    #expect(try page.text("document.querySelector('.row .title').textContent") == title)
    #expect(try page.value("document.querySelectorAll('.row img').length") as? Int == 0)
    try page.wait(until: "document.title.includes('2 running')")
    #expect(
      try page.value("document.documentElement.scrollWidth <= innerWidth") as? Bool == true)
    let stray = Set(page.addresses.filter { !$0.hasPrefix("http://127.0.0.1:") })
    #expect(stray.isSubset(of: ["about:blank"]))
  }

  @Test func `a page of another origin can neither read nor act`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated", "--title", "Mine")
    try workshop.awaitReady(1)
    let (first, second) = (try ServedPage(workshop), try ServedPage(workshop))
    _ = try opened(first)
    // The same browser, with the key of the first, on a page of another port.
    let page = try opened(second)
    let read = try page.text(
      "fetch('\(first.origin)/jobs/1', { credentials: 'include' })"
        + ".then((r) => r.text(), (e) => e.name)")
    #expect(read == "TypeError")
    _ = try page.text(
      "fetch('\(first.origin)/jobs/1/cancel', { method: 'POST', mode: 'no-cors', credentials: 'include' })"
        + ".then((r) => r.type, (e) => e.name)")
    #expect(try workshop.show(1).state == .running)
    #expect(try workshop.show(1).stopReason == nil)
  }

  @Test func `without the token it says what to do`() throws {
    let served = try ServedPage(workshop)
    servers.all.append(served)
    let page = try BrowserPage(browser)
    try page.open(served.origin, until: "!document.querySelector('#notice').hidden")
    #expect(try page.text("document.querySelector('#notice').textContent").contains("address"))
  }

  @Test func `who hears the page is told the same`() throws {
    try workshop.defineSteps()
    _ = try workshop.submit("steps", "--title", "Runs")
    _ = try workshop.submit("steps", "--title", "Stands still")
    _ = try workshop.submit("steps", "--title", "Waits")
    for number in 1...2 { try workshop.awaitReady(UInt64(number)) }
    try workshop.jobrun("simulate", "stall", "2")
    let page = try opened(ServedPage(workshop))
    try page.wait(until: "document.querySelectorAll('.row').length === 3")
    try page.wait(
      until: "document.querySelectorAll('[role=progressbar][aria-valuenow]').length > 1")
    let heard = try page.heard().filter { !$0.hasPrefix("paragraph") }
    let expected = try String(
      contentsOfFile: BuiltProducts.packageRoot + "/Tests/EndToEndTests/Golden/page.txt",
      encoding: .utf8)
    if ProcessInfo.processInfo.environment["JOBRUN_RECORD_GOLDEN"] != nil {
      try (heard.joined(separator: "\n") + "\n").write(
        toFile: BuiltProducts.packageRoot + "/Tests/EndToEndTests/Golden/page.txt",
        atomically: true, encoding: .utf8)
    }
    #expect(heard == expected.split(separator: "\n").map(String.init))
  }
}

// Independent of the jobs' state.
extension WebPageTests {
  @Test func `10,000 jobs are scrolled, and only those that are seen are in the document`() throws {
    try workshop.jobrun("runner", "pause")
    let inputs = (1...10_000).map(String.init).joined(separator: "\n")
    let many = try workshop.sandbox.run(
      "jobrun", ["each", "--detach", "--title", "Frame", "--", "true", "::::", "inputs"],
      environment: ["X": try workshop.sandbox.write(inputs + "\n", to: "inputs")])
    #expect(many.status == 0, "\(many.errors)")
    let page = try opened(ServedPage(workshop))
    try page.wait(until: "document.querySelector('#counts').textContent === '10000 waiting'")
    try page.press("#live .open")
    try page.wait(until: "document.querySelectorAll('.row').length > 2")
    let seen =
      try page.value(
        """
        (async () => {
          const begin = performance.now();
          let most = 0;
          const height = document.documentElement.scrollHeight;
          for (let at = 0; performance.now() - begin < 1500; at += 700) {
            scrollTo(0, at % height);
            await new Promise(requestAnimationFrame);
            most = Math.max(most, document.querySelectorAll('.row').length);
          }
          scrollTo(0, height);
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          return [most, height];
        })()
        """) as? [Double] ?? []
    try #require(seen.count == 2)
    #expect(seen[0] < 60, "\(seen[0]) rows in the document")
    #expect(seen[1] > 500_000)
    try page.wait(
      until:
        "[...document.querySelectorAll('.row .title')].some((t) => t.textContent === 'Frame 10000')"
    )
    #expect(try workshop.jobrun("report").output.utf8.count <= 300_000)
  }

  @Test(arguments: [(360, 640), (320, 568), (1440, 900)])
  func `nothing is wider than the page, by day and by night`(width: Int, height: Int) throws {
    try workshop.define(
      "still",
      """
      jobrun progress --total 10 --completed 3
      echo "$JOBRUN_JOB" > "$READY.$JOBRUN_JOB"
      read line < "$GATE"
      """)
    _ = workshop.gate
    _ = try workshop.submit("still", "--title", String(repeating: "Very long words ", count: 15))
    _ = try workshop.jobrun("run", "--", "false")
    // Later advances show that it does not stand still.
    try workshop.awaitReady(1)
    try workshop.jobrun("simulate", "stall", "1")
    let served = try ServedPage(workshop)
    for isDark in [false, true] {
      let page = try opened(served, width: width, height: height, isDark: isDark)
      try page.wait(until: "document.querySelector('.asks') !== null")
      func check(_ name: String) throws {
        let fits = "document.documentElement.scrollWidth <= innerWidth"
        #expect(try page.value(fits) as? Bool == true, "\(name), \(width)")
        guard let folder = ProcessInfo.processInfo.environment["JOBRUN_PICTURES"] else { return }
        try page.picture("\(folder)/\(name)-\(width)-\(isDark ? "dark" : "light").png")
      }
      try check("now")
      try page.press("#tab-then")
      try page.wait(until: "document.querySelectorAll('#ended .row').length === 1")
      try check("then")
      try page.press("#tab-now")
      try page.press(".open")
      try page.wait(until: "document.querySelector('#facts').textContent.includes('Identifier')")
      try check("job")
    }
  }
}

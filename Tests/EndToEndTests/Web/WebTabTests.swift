import JobCore
import JobWire
import TestKit
import Testing

// Many pages in one browser.
extension WebPageTests {
  @Test func `of many pages each is live as it is seen, and knows what it has missed`() throws {
    try workshop.defineSteps()
    _ = try workshop.submit("steps")
    try workshop.awaitReady(1)
    let served = try ServedPage(workshop)
    // More than a browser has connections to one origin.
    let first = try opened(served, hides: true)
    try first.wait(until: "document.title === '1 running · jobrun'")
    let others = try (0..<7).map { _ in try opened(served, hides: true) }
    // The first hidden tab keeps listening; the others are silent.
    let heard = "document.title === '1 running · jobrun'"
    try first.wait(until: heard)
    try others[3].wait(until: "document.title === 'jobrun'")
    try workshop.jobrun("simulate", "stall", "1")
    try first.wait(until: "document.title === '1 question · jobrun'")
    try others[3].show()
    try others[3].wait(
      until: "document.querySelector('.row .chip').textContent === 'waiting for an answer'")
    try others[3].press(".ask .main")
    try others[6].show()
    try others[6].wait(until: "document.querySelector('.row .chip').textContent === 'running'")
  }
}

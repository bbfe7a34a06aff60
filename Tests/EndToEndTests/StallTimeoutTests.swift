import JobCore
import JobWire
import TestKit
import Testing

@Suite struct StallTimeoutTests {
  @Test func `a stall timeout that was doubled stays doubled under the next runner`() throws {
    let (workshop, environment) = try StallTests.workshop()
    _ = try workshop.submit("stalling", environment: environment)
    try workshop.feed(until: "prompt", of: 1)
    #expect(try workshop.jobrun("continue", "1").status == 0)
    try workshop.killRunner()
    #expect(try stallTimeout(workshop) == "2000000000\n")
    // The next runner stores it again with the stop, from its own state.
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    try workshop.feed(until: "stopping", of: 1)
    try workshop.killRunner()
    #expect(try stallTimeout(workshop) == "2000000000\n")
  }

  private func stallTimeout(_ workshop: Workshop) throws -> String {
    let database = workshop.sandbox.home + "/state/jobrun.db"
    let selection = "SELECT record ->> 'stallTimeoutNs' FROM jobs"
    return try workshop.sandbox.run("sqlite3", [database, selection]).output
  }
}

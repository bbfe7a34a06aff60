import Foundation
import JobPage
import TestKit
import Testing

/// The real job, fetching with the system's own curl.
@Suite struct RefreshTests {
  @Test func `what is fetched is kept, and a change is noticed`() throws {
    let run = try RefreshRun()
    try run.sandbox.write("rain", to: "weather")
    let address = "file://" + run.sandbox.path("weather")
    #expect(try run.refresh("--once", address, "kept").status == 0)
    #expect(try run.page().message == "\(address) is kept: 4 bytes")
    #expect(try run.refresh("--once", address, "kept").status == 0)
    #expect(try run.page().message == "\(address) has not changed")
    try run.sandbox.write("a storm", to: "weather")
    #expect(try run.refresh("--once", address, "kept").status == 0)
    #expect(try run.page().message == "\(address) has changed: 7 bytes, was 4 bytes")
    #expect(try run.text("kept") == "a storm")
    #expect(try run.names() == ["kept", "weather"])
  }

  @Test func `a server is asked only for what is new`() throws {
    let run = try RefreshRun()
    let server = try PageServer(tag: "\"v1\"", content: "rain")
    #expect(try run.refresh("--once", server.address, "kept").status == 0)
    #expect(try run.text("kept") == "rain")
    #expect(try run.refresh("--once", server.address, "kept").status == 0)
    #expect(try run.page().message == "\(server.address) has not changed")
    #expect(server.answers == ["200 OK", "304 Not Modified"])
    server.publish(tag: "\"v2\"", content: "a storm")
    #expect(try run.refresh("--once", server.address, "kept").status == 0)
    #expect(try run.text("kept") == "a storm")
    #expect(try run.page().message.contains("has changed: 7 bytes, was 4 bytes"))
  }

  @Test func `what cannot be fetched leaves what was kept`() throws {
    let run = try RefreshRun()
    try run.sandbox.write("rain", to: "kept")
    let finished = try run.refresh("--once", "file:///nowhere/at/all", "kept")
    #expect(finished.status == 1)
    #expect(try run.page().message.hasPrefix("cannot fetch file:///nowhere/at/all: curl: (37)"))
    #expect(try run.text("kept") == "rain")
    #expect(try run.names() == ["kept"])
  }

  @Test func `the next look is asked for before this one, with the same words`() throws {
    let run = try RefreshRun()
    let command = try run.sandbox.write(
      "#!/bin/sh\nprintf '%s\\n' \"$@\" > asked\n", to: "jobrun", executable: true)
    let finished = try run.refresh(
      "--every", "30m", "file:///nowhere", "kept", environment: ["JOBRUN_COMMAND": command])
    #expect(finished.status == 1)
    #expect(
      try run.text("asked") == """
        schedule
        io.jobrun.samples.refresh
        --earliest
        +30m
        --
        --every
        30m
        --
        file:///nowhere
        kept

        """)
  }

  @Test func `that nobody will look again is a failure, though all was fetched`() throws {
    let run = try RefreshRun()
    try run.sandbox.write("rain", to: "weather")
    let address = "file://" + run.sandbox.path("weather")
    let command = try run.sandbox.write(
      "#!/bin/sh\necho 'jobrun: no more may wait' >&2\nexit 75\n", to: "jobrun", executable: true)
    let finished = try run.refresh(
      address, "kept", environment: ["JOBRUN_COMMAND": command])
    #expect(finished.status == 1)
    #expect(
      try run.page().message
        == "done, but the next run could not be scheduled: jobrun: no more may wait")
    #expect(try run.text("kept") == "rain")
  }

  @Test(arguments: [
    (["--often", "a", "b"], "refresh has no flag --often"), (["--every"], "needs a duration"),
    (["--every", "often", "a", "b"], "needs a duration"),
    (["http://x"], "it was given 1"), (["ftp://x", "b"], "ftp://x is not an address"),
  ])
  func `what makes no sense is refused in one sentence`(words: [String], sentence: String) throws {
    let run = try RefreshRun()
    #expect(try run.refresh(words).status == 64)
    #expect(try run.page().message.contains(sentence))
  }
}

import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The folder that a job keeps across its attempts.
@Suite struct StateFolderTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.define(
      "look", "stat -c %a \"$JOBRUN_STATE_DIR\"\nls -A \"$JOBRUN_STATE_DIR\" | wc -l")
  }

  private func look() throws -> String {
    let job = try workshop.submit("look")
    try workshop.waitForEnd(job.number.value)
    return try workshop.jobrun("log", "\(job.number)").output
  }

  @Test func `what a job leaves in it stays its own`() throws {
    try workshop.define("keep", "echo mine > \"$JOBRUN_STATE_DIR/kept\"")
    _ = try workshop.submit("keep")
    try workshop.waitForEnd(1)
    #expect(try look() == "700\n0\n")
    let kept = workshop.sandbox.home + "/state/state/1/kept"
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "mine\n")
  }

  @Test func `a link that a job put in its place is nobody else's folder`() throws {
    try workshop.define(
      "link",
      "mkdir \"$ELSEWHERE\"; cd /; rmdir \"$JOBRUN_STATE_DIR\"; ln -s \"$ELSEWHERE\" \"$JOBRUN_STATE_DIR\""
    )
    _ = try workshop.submit(
      "link", environment: ["ELSEWHERE": workshop.sandbox.path("elsewhere")])
    try workshop.waitForEnd(1)
    #expect(try look() == "700\n0\n")
  }

  @Test func `one that was left empty serves the next job, as private as ever`() throws {
    try workshop.define("open", "chmod 777 \"$JOBRUN_STATE_DIR\"")
    _ = try workshop.submit("open")
    try workshop.waitForEnd(1)
    for _ in 2...4 { #expect(try look() == "700\n0\n") }
  }
}

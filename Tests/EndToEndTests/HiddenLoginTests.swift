import Foundation
import JobWire
import TestKit
import Testing

/// A name and password in an address: only the job gets them.
@Suite struct `A password in an address` {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// All output about every job, for people and programs.
  private func everything() throws -> String {
    var told = try workshop.feed(until: "ended", of: 1)
    for words in [
      ["list", "--all", "--json"], ["list", "--all"], ["history"], ["history", "--json"],
      ["show", "1"], ["show", "1", "--json"], ["log", "1"], ["usage", "--json"],
    ] {
      let finished = try workshop.sandbox.run(
        "jobrun", words, environment: workshop.environment, within: Deadline.timeout)
      told += finished.output + finished.errors
    }
    return told
  }

  @Test func `reaches a plain command, and no list, feed or title`() throws {
    let address = "https://me:hush@host/x"
    let finished = try workshop.jobrun(
      "run", "--", "sh", "-c", "test ${#0} = 22 && echo \"fatal: $0 is gone\" >&2; exit 3", address)
    #expect(finished.status == 3)
    let job = try workshop.show(1)
    #expect(job.title.hasSuffix("https://…@host/x"), "\(job.title)")
    #expect(job.message == "fatal: https://…@host/x is gone")
    #expect(job.terms.command?.last == "https://…@host/x")
    // A job's own output stays in its log as printed.
    let told = try everything().split(separator: "\n").filter { !$0.hasPrefix("fatal: ") }
    #expect(!told.joined().contains("hush"))
  }

  @Test func `is not in what others see of the processes, nor in the records`() throws {
    let waiting = try workshop.start(
      "run", "--", "sh", "-c", "read x < \"$GATE\"", "http://me:hush@host/")
    try workshop.feed(until: "started", of: 1)
    let words = try String(contentsOfFile: "/proc/\(waiting.pid)/cmdline", encoding: .utf8)
    #expect(words.contains("http://*******@host/"), "\(words)")
    let shown = try workshop.jobrun("show", "1", "--json").output
    #expect(!shown.contains("hush"))
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try waiting.wait().status == 0)
    #expect(try !everything().contains("hush"))
  }

  @Test func `is not in the sentence about an address that is none`() throws {
    for (verb, address) in [
      ("download", "ftp://me:hush@host/x"), ("download", "http://me:hu/sh@host/x"),
      ("download", "http://me:hu sh@host/x"), ("download", "https://me:hush@/x"),
    ] {
      let finished = try workshop.jobrun("submit", "--quiet", verb, "--", address)
      #expect(finished.status == 1 && finished.errors.contains("(exit code 64)"), "\(finished)")
    }
    let told = try everything()
    #expect(!told.contains("hush") && !told.contains("hu sh") && !told.contains("hu/sh"))
    #expect(told.contains("ftp://…@host/x has the scheme ftp"), "\(told)")
  }
}

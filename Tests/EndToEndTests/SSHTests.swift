import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import TestKit
import Testing

/// An engine of kind `host` behind ssh: the programs are copied automatically, and who does not get through
/// reads why.
@Suite struct SSHTests {
  private let ssh: SSHWorkshop

  init() throws {
    if !SSHServer.isInstalled {
      try Test.cancel("\(SSHServer.absence)")
    }
    ssh = try SSHWorkshop(["there"])
  }

  private var workshop: Workshop { ssh.workshop }
  private var server: SSHServer { ssh.server }
  private var path: [String: String] { ssh.environment }

  @Test func `a job runs there with what is there, and its output comes here`() throws {
    let ran = try workshop.jobrun(
      "run", "--on", "there", "--plain", "--", "sh", "-c",
      "echo here: $XDG_CACHE_HOME, not $SECRET; exit 3",
      environment: path.merging(["SECRET": "s"]) { $1 })
    #expect(ran.status == 3, "\(ran.errors)")
    let log = try workshop.jobrun("log", "1").output
    #expect(log == "here: \(server.account)/cache, not\n")
    let job = try workshop.show(1)
    #expect(job.terms.engine == "there")
    #expect(job.outcome == .failed)
    // All its files are removed, once the helper there has heard that nobody needs them.
    try GroupedWorkshop.settle("no files left there") {
      let left = FileManager.default.enumerator(atPath: "\(server.account)/state")?.allObjects ?? []
      return !left.contains { ($0 as? String)?.hasSuffix("/order") == true }
    }
  }

  @Test func `who does not get through reads why in the words of ssh, and the job waits`() throws {
    server.stop()
    try workshop.define("quick", "exit 0")
    _ = try workshop.submit("quick", "--on", "there", environment: path)
    let told = try workshop.feed(until: "queued", of: 1)
    #expect(told.contains("there has not answered since "))
    #expect(told.contains("refused") || told.contains("closed"), "\(told)")
    try workshop.jobrun("cancel", "1")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
  }

  @Test func `what had ended in time while its host was away has not reached its limit`() throws {
    try workshop.defineGated("gated")
    // Until then the host must be away, and the job over.
    _ = try workshop.submit(
      "gated", "--on", "there", "--limit", "15s", "--grace", "1m", environment: path)
    try workshop.awaitReady(1)
    try workshop.feed(until: "started", of: 1)
    try ssh.goAway()
    let opened = try workshop.openGate()
    try workshop.feed(until: "stopping", of: 1)
    try ssh.comeBack()
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    withExtendedLifetime(opened) {}
  }

  @Test func `a check of what cannot be reached does not wait for what never comes`() throws {
    server.stop()
    // A check of the connection waits for half a minute.
    let checked = try workshop.jobrun(
      "engines", "check", "there", environment: path, within: .seconds(25))
    #expect(checked.status == 69)
    #expect(checked.errors.contains("there has not answered since "), "\(checked.errors)")
    #expect(checked.errors.contains("refused") || checked.errors.contains("closed"))
  }
}

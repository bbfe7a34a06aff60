import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `A transfer that is not urgent` {
  private let download: TransferRun
  private let content = [UInt8](repeating: 7, count: 2_000_000)

  init() throws { download = try TransferRun("download") }

  /// On a machine with this battery, whose network is like this for NetworkManager.
  private func run(
    _ arguments: [String], battery: String = "Charging", metered: String = "u 4"
  ) throws -> Int32? {
    for (name, text) in [("type", "Battery"), ("status", battery)] {
      try download.sandbox.write(text + "\n", to: "machine/sys/class/power_supply/BAT0/\(name)")
    }
    try download.sandbox.write("#!/bin/sh\necho '\(metered)'\n", to: "bin/busctl", executable: true)
    let environment = [
      "JOBRUN_SYSTEM_ROOT": download.sandbox.path("machine"),
      "PATH": download.sandbox.path("bin") + ":/usr/bin:/bin",
    ]
    return try download.start(arguments, environment: environment).wait().status
  }

  private func server(_ content: [UInt8]) throws -> FileServer {
    try FileServer { request, _ in .file(content, to: request) }
  }

  @Test(
    arguments: [
      ("--discretionary", "Discharging", "u 4", "runs on its battery"),
      ("--discretionary", "Charging", "u 1", "the network is metered"),
      ("--unmetered", "Discharging", "u 3", "the network is metered"),
    ])
  func `is put off, with the reason, and goes on where it was`(
    flag: String, battery: String, metered: String, reason: String
  ) throws {
    let server = try server(content)
    #expect(try run([flag, server.address()], battery: battery, metered: metered) == 75)
    let page = try download.page()
    #expect(page.outcome == .deferred && page.deferSeconds == 300)
    #expect(page.message.contains(reason), "\(page.message)")
    #expect(try run([flag, server.address()]) == 0)
    #expect(download.content() == content)
  }

  @Test(arguments: [("--unmetered", "Discharging", "u 2"), ("--discretionary", "Full", "")])
  func `comes at once where nothing speaks against it`(
    flag: String, battery: String, metered: String
  ) throws {
    let server = try server(content)
    #expect(try run([flag, server.address()], battery: battery, metered: metered) == 0)
    #expect(download.content() == content)
  }

  @Test func `comes at once where it is small`() throws {
    let server = try server([1, 2, 3])
    #expect(
      try run(["--discretionary", server.address()], battery: "Discharging", metered: "u 1") == 0)
    #expect(download.content() == [1, 2, 3])
  }

  @Test func `is put off before anything is sent of it`() throws {
    let upload = try TransferRun(uploading: content)
    let server = try FileServer { _, _ in FileServer.Answer(status: 201) }
    try upload.sandbox.write("#!/bin/sh\necho u 1\n", to: "bin/busctl", executable: true)
    let finished = try upload.start(
      ["--unmetered", "trip.tar", server.address()],
      environment: ["PATH": upload.sandbox.path("bin") + ":/usr/bin:/bin"]
    ).wait()
    #expect(finished.status == 75)
    #expect(server.requests.isEmpty)
  }
}

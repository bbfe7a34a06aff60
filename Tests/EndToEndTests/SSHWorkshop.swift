import Foundation
import Glibc
import JobCore
import JobWire
import TestKit

/// A workshop with engines of kind `host` behind a separate sshd.
struct SSHWorkshop: EngineWorkshop {
  let workshop: Workshop
  let server: SSHServer

  init(_ engines: [String] = ["red", "blue"]) throws {
    workshop = try Workshop(slots: 1)
    server = try SSHServer(workshop.sandbox)
    let keys = #""kind": "host", "through": "there", "environment": ["GATE", "READY"]"#
    try workshop.writeEngines(engines.map { ($0, keys) })
  }

  var environment: [String: String] {
    ["PATH": server.programs + ":" + (workshop.sandbox.environment["PATH"] ?? "")]
  }
  var folder: String { "\(server.account)/state" }

  func goAway() throws {
    server.stop()
    for pid in try workshop.children(named: "ssh") { kill(pid, SIGKILL) }
  }

  func comeBack() throws { try server.start() }

  var silence: String { "has not answered since" }

  func endThere(_ job: JobStatus, supervisor: Int32) { kill(supervisor, SIGTERM) }

  var outcomeThere: Outcome { .interrupted }

  func awaitNothingLeft() {}

  func misled() -> [String: String] { environment }

  static let hasRsync = FileManager.default.isExecutableFile(atPath: "/usr/bin/rsync")
}

import Foundation
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The traces of a hidden command.
@Suite struct SecretCommandTests {
  @Test func `of a hidden command nothing is shown, nor kept once it is forgotten`() throws {
    let workshop = try Workshop()
    let secrets = ["sesame-command", "sesame-follower"]
    #expect(
      try workshop.jobrun(
        "run", "--hide-command", "--on-end", "true \(secrets[1]); echo > over", "--", "true",
        secrets[0]
      ).status == 0)
    let shown =
      try workshop.jobrun("show", "1", "--json").output + workshop.jobrun("show", "1").output
    for secret in secrets { #expect(!shown.contains(secret), "\(shown)") }
    try WaitFor.file(workshop.sandbox.path("over"))
    try WaitFor.noFile(workshop.sandbox.home + "/state/ends/1.1")
    #expect(try workshop.jobrun("forget", "1").status == 0)
    let state = workshop.sandbox.home + "/state"
    for name in ["jobrun.db", "jobrun.db-wal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(state)/\(name)"))
      for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)") }
    }
  }
}

import Foundation
import JobWire
import TestKit
import Testing

/// Sessions in which notices cannot be shown: the runner says why and continues.
@Suite struct AbsentDesktopTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try settings(#"{"slots": 2, "notify": {"after": "0s"}}"#)
  }

  private func settings(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
  }

  private func status(
    _ environment: [String: String]
  ) throws -> (text: String, json: RunnerStatus.Finding?) {
    #expect(try workshop.jobrun("list", environment: environment).status == 0)
    let text = try workshop.jobrun("runner", "status").output
    let line = try workshop.jobrun("runner", "status", "--json").output
    let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let found = json?["notifications"] as? [String: Any]
    guard let isOn = found?["on"] as? Bool, let why = found?["why"] as? String else {
      return (text, nil)
    }
    return (text, RunnerStatus.Finding(isOn: isOn, why: why))
  }

  private func expectOff(_ environment: [String: String], _ why: String) throws {
    let (text, json) = try status(environment)
    #expect(text.contains("notifications  off: ") && text.contains(why), "\(text)")
    #expect(json?.isOn == false)
    #expect(json?.why.contains(why) == true, "\(String(describing: json))")
    // It still runs jobs.
    #expect(try workshop.jobrun("run", "--", "true").status == 0)
  }

  @Test func `without a bus`() throws {
    try expectOff(
      ["XDG_RUNTIME_DIR": workshop.sandbox.work],
      "no session bus: DBUS_SESSION_BUS_ADDRESS is not set, and there is no "
        + "\(workshop.sandbox.work)/bus")
  }

  @Test func `with nobody at the bus's address`() throws {
    try expectOff(
      ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(workshop.sandbox.path("gone"))"],
      "nothing is at the address of the session bus")
  }

  @Test func `without the library`() throws {
    let desktop = try Desktop(workshop.sandbox)
    try expectOff(
      [
        "DBUS_SESSION_BUS_ADDRESS": desktop.address,
        "JOBRUN_LIBSYSTEMD": "/nonexistent/libsystemd.so.0",
      ],
      "sd-bus cannot be used: /nonexistent/libsystemd.so.0: cannot open shared object file")
  }

  @Test func `without a service`() throws {
    let desktop = try Desktop(workshop.sandbox, service: nil)
    try expectOff(
      ["DBUS_SESSION_BUS_ADDRESS": desktop.address], "org.freedesktop.DBus.Error.ServiceUnknown")
  }

  @Test func `with notices turned off`() throws {
    let desktop = try Desktop(workshop.sandbox)
    try settings(#"{"notify": {"desktop": false}}"#)
    try expectOff(
      ["DBUS_SESSION_BUS_ADDRESS": desktop.address], "config.json turns them off (notify.desktop)")
  }

  @Test func `with a service that never answers: helpers are killed, and few at a time`() throws {
    let desktop = try Desktop(workshop.sandbox, service: "mute")
    let environment = ["DBUS_SESSION_BUS_ADDRESS": desktop.address]
    #expect(try workshop.jobrun("list", environment: environment).status == 0)
    for _ in 0..<8 { #expect(try workshop.jobrun("run", "--detach", "--", "true").status == 0) }
    try desktop.told("GetCapabilities\nGetCapabilities\n")
    #expect(workshop.sandbox.processes(running: "jobrun-helper").count <= 4)
    // The runner serves meanwhile, and reports its finding once the first was killed.
    #expect(try workshop.jobrun("run", "--", "true").status == 0)
    let (text, json) = try status([:])
    #expect(
      text.contains("notifications  off: the notification service did not answer within 5s"),
      "\(text)")
    #expect(json?.isOn == false)
    try workshop.sandbox.waitForEnd(ofProcessesRunning: "jobrun-helper")
  }

  @Test func `with a service that is there, its name is told`() throws {
    let desktop = try Desktop(workshop.sandbox)
    let (text, json) = try status(["DBUS_SESSION_BUS_ADDRESS": desktop.address])
    #expect(text.contains("notifications  on: test service 1 (jobrun)"), "\(text)")
    #expect(json == RunnerStatus.Finding(isOn: true, why: "test service 1 (jobrun)"))
  }
}

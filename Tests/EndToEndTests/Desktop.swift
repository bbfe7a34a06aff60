import Foundation
import TestKit

/// A separate session bus in a sandbox, optionally with a notification service.
final class Desktop {
  private static let configuration = """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=ADDRESS</listen>
      <policy context="default">
        <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
      </policy>
    </busconfig>
    """

  private let bus: ChildProcess
  private let service: ChildProcess?
  /// XDG_RUNTIME_DIR of the session; the bus is the socket `bus` in it.
  let runtime: String

  var address: String { "unix:path=\(runtime)/bus" }

  /// Starts the bus, and then the service that prints its calls; its `mode` is empty, `mute` or `plain`, and
  /// nil = there is no service.
  init(_ sandbox: Sandbox, service mode: String? = "") throws {
    runtime = sandbox.path("session")
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let text = Self.configuration.replacing("ADDRESS", with: "\(runtime)/bus")
    let file = try sandbox.write(text, to: "session.conf")
    bus = try sandbox.start(
      "dbus-daemon", ["--config-file=\(file)", "--nofork", "--nopidfile", "--print-address=1"])
    // It listens before it prints.
    try bus.wait(for: "unix:path=")
    guard let mode else {
      service = nil
      return
    }
    let program = sandbox.path("notice-service")
    try StubLibrary.buildProgram(
      "NoticeService/notice_service.c", at: program, libraries: ["libsystemd.so.0"])
    let started = try sandbox.start(
      program, mode.isEmpty ? [] : [mode],
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus"])
    try started.wait(for: "ready\n")
    service = started
  }

  /// Waits until the service has got this call; returns all lines that it printed so far.
  @discardableResult
  func told(_ text: String) throws -> [String] {
    guard let service else { return [] }
    return try service.wait(for: text).split(separator: "\n").map(String.init)
  }
}

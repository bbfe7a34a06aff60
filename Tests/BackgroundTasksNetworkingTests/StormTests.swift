import Foundation
import TestKit
import Testing

/// The storm sample of WWDC22 from end to end, as published: at noon the app is launched and requests the
/// weather, which does not arrive in time; the app exits; the weather arrives, and the app is launched for it.
@Suite(.timeLimit(.minutes(10)))
struct `The storm sample` {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.write(
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>org.example.stormy</string>
      <key>BGTaskSchedulerPermittedIdentifiers</key><array><string>StormyNoon</string></array>
      <key>UIBackgroundModes</key><array><string>fetch</string></array>
      </dict></plist>
      """, to: "app/Info.plist")
    try sandbox.write("", to: "diary")
  }

  @Test(arguments: ["corpus-networking", "corpus-networking-by-name"])
  func `runs from the refresh at noon to the notification`(program: String) throws {
    let gate = Gate()
    let server = try FileServer { request, _ in
      FileServer.Answer(
        fields: ["Content-Length": "6", "ETag": "\"1\""], body: Array("stormy".utf8)
      ).held(behind: 2, gate)
    }
    let environment = [
      "JOBRUN_BUNDLE": sandbox.path("app"), "STORMY_URL": server.address("weather"),
      "STORMY_DIARY": sandbox.path("diary"), "no_proxy": "*",
    ]
    let app = try sandbox.start(program, environment: environment)
    defer { app.signal(SIGKILL) }
    try awaitJob("StormyNoon")
    app.signal(SIGTERM)
    _ = try app.wait()

    try sandbox.run("jobrun", ["simulate", "launch", "StormyNoon"])
    try awaitJob("\"subtitle\":\"weather\"")
    try sandbox.run("jobrun", ["simulate", "expire", "1"])
    try sandbox.run("jobrun", ["wait", "1"])
    try awaitJob("events of isStormy")
    #expect(try String(contentsOfFile: sandbox.path("diary"), encoding: .utf8) == "")

    gate.open()
    try WaitFor.file(sandbox.path("diary"), contains: "notified")
    #expect(
      try String(contentsOfFile: sandbox.path("diary"), encoding: .utf8) == "woken\nnotified\n")
    #expect(server.requests.count == 1, "the weather was asked for once")
  }

  /// Waits until the feed tells of a job with this in its line.
  private func awaitJob(_ text: String) throws {
    let feed = try sandbox.start("jobrun", ["feed", "--since", "0"])
    defer { feed.signal(SIGINT) }
    try feed.wait(for: text)
  }
}

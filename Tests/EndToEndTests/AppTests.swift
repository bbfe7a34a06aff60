import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Apps with `@main`, in the shapes of SwiftUI and of UIKit, described by an `Info.plist` alone.
@Suite struct AppTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try workshop.sandbox.write(
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>org.example.app</string>
      <key>UIBackgroundModes</key><array><string>fetch</string><string>processing</string></array>
      </dict></plist>
      """, to: "app/Info.plist")
  }

  private func start(_ program: String, _ more: [String: String] = [:]) throws -> ChildProcess {
    let environment = ["JOBRUN_BUNDLE": workshop.sandbox.path("app")]
    return try workshop.sandbox.start(program, environment: environment.merging(more) { $1 })
  }

  /// Starts the program and leaves it, as a person does; returns its output.
  @discardableResult
  private func visit(
    _ program: String, _ more: [String: String] = [:], by signal: Int32 = SIGTERM
  ) throws -> String {
    let app = try start(program, more)
    try app.wait(for: "stays")
    app.signal(signal)
    let finished = try app.wait()
    #expect(finished.status == 0, "\(finished.errors)")
    return finished.output
  }

  private func launch(_ name: String) throws {
    #expect(try workshop.jobrun("simulate", "launch", "org.example.app.\(name)").status == 0)
  }

  @Test(arguments: ["app-probe", "delegate-probe"])
  func `it stays until the person leaves, asks for its refresh then, and is launched for it`(
    program: String
  ) throws {
    try visit(program)
    try launch("look")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(try workshop.jobrun("log", "1").output.contains("looked\n"))
  }

  @Test func `beside its Info.plist it knows its identifier, and is launched from there`() throws {
    let app = try workshop.sandbox.copyExecutable("app-probe", to: "app/storm")
    let said = try visit(app, ["JOBRUN_BUNDLE": ""])
    #expect(said == "inactive then active\nstays as org.example.app\n")
    try launch("tidy")
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try workshop.jobrun("log", "2").output.contains("tidied\n"))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a delegate hears of its whole life, and what it holds is waited for`(signal: Int32) throws {
    #expect(
      try visit("delegate-probe", by: signal)
        == "launched active\nactive\nstays\nresigns active\nbackground background\nsaved\n"
        + "terminates\n")
    try launch("look")
    try workshop.waitForEnd(1)
    #expect(try workshop.jobrun("log", "1").output.contains("launched background\n"))
  }

  @Test func `a worker that gets SIGTERM hears of it in its expiration handler`() throws {
    try visit("delegate-probe")
    try launch("patient")
    let log = try workshop.start("log", "2", "--follow")
    try log.wait(for: "began")
    let worker = try #require(try workshop.show(2).pid)
    kill(worker, SIGTERM)
    let ended = try workshop.waitForEnd(2)
    #expect(ended.outcome == .failed)
    #expect(try workshop.jobrun("log", "2").output.contains("expired signal\n"))
  }

  @Test func `a task cancels itself in its worker, as jobrun cancel does`() throws {
    try visit("delegate-probe")
    try launch("weary")
    let ended = try workshop.waitForEnd(3)
    #expect(ended.outcome == .cancelled)
    #expect(ended.stopReason?.code == .user)
    #expect(try workshop.jobrun("log", "3").output.contains("expired user\n"))
  }

  @Test(arguments: [SIGHUP, SIGINT])
  func `a continued task goes on when its person closes the terminal, and ends as it would`(
    signal: Int32
  ) throws {
    let last = workshop.sandbox.path("last")
    let app = try start("delegate-probe", ["PROBE_UPLOADS": "1", "PROBE_ENDS_WITH": last])
    try app.wait(for: "began")
    try app.wait(for: "stays")
    app.signal(signal)
    try app.wait(for: "saved")
    // Before it has counted its tasks none may end.
    try app.wait(for: "1 task is still running; press Ctrl-C again to end it", on: .errors)
    try workshop.feed(until: "started", of: 1)
    #expect(try workshop.show(1).state == .running)
    try workshop.sandbox.write("", to: "last")
    let finished = try app.wait()
    #expect(finished.status == 0)
    #expect(finished.output.hasSuffix("done\nterminates\n"))
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test func `a second Ctrl-C ends it, and its record says why`() throws {
    let app = try start("delegate-probe", ["PROBE_UPLOADS": "1"])
    try app.wait(for: "began")
    try app.wait(for: "stays")
    app.signal(SIGINT)
    try app.wait(for: "saved")
    app.signal(SIGINT)
    let finished = try app.wait()
    #expect(finished.output.contains("expired signal\n"))
    let ended = try workshop.waitForEnd(1)
    #expect(ended.outcome == .failed)
    #expect(ended.message == "it received a signal to end")
  }

  /// The programs of the sessions, as printed: a continued task in an app whose terminal is closed in the middle,
  /// a refresh that it asks for when its person leaves, and a notice at the end of that.
  @Test func `a whole program goes on without its terminal, refreshes and tells its person`() throws
  {
    let desktop = try Desktop(workshop.sandbox)
    let bus = ["DBUS_SESSION_BUS_ADDRESS": desktop.address]
    #expect(try workshop.jobrun("runner", "restart", environment: bus).status == 0)
    let last = workshop.sandbox.path("last")
    let app = try start("app-probe", ["PROBE_EXPORTS": last])
    try app.wait(for: "half")
    app.signal(SIGHUP)
    let feed = try workshop.start("feed", "--since", "0")
    try feed.wait(for: "org.example.app.tidy")
    feed.signal(SIGTERM)
    // Before it has counted its tasks none may end.
    try app.wait(for: "1 task is still running", on: .errors)
    try workshop.feed(until: "started", of: 1)
    #expect(try workshop.show(1).state == .running)
    try workshop.sandbox.write("", to: "last")
    let finished = try app.wait()
    #expect(finished.output.contains("exported\n"))
    let exported = try workshop.waitForEnd(1)
    #expect(exported.outcome == .succeeded)
    #expect(exported.title == "A succinct title")
    try launch("look")
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try workshop.jobrun("log", "2").output.contains("told\n"))
    try desktop.told("Stormy\ttake a photo of the sky\n")
  }

  @Test func `where nothing shows notices, the program hears why`() throws {
    try visit("app-probe")
    try launch("look")
    try workshop.waitForEnd(1)
    #expect(try workshop.jobrun("log", "1").output.contains("not told: "))
  }

  @Test func `a scene's delegate hears of the same turns`() throws {
    let said = try visit("delegate-probe", ["PROBE_SCENE": "1"])
    #expect(said.hasPrefix("launched active\nscene connects\n"))
    #expect(said.contains("scene active\n"))
    #expect(said.contains("scene background\nbackground background\n"))
  }

  @Test func `a continued task is told to stop when its app is left, and waited for`() throws {
    let app = try start("delegate-probe", ["PROBE_UPLOADS": "1"])
    try app.wait(for: "began")
    try app.wait(for: "stays")
    app.signal(SIGTERM)
    let finished = try app.wait()
    #expect(finished.status == 0)
    #expect(finished.output.contains("expired signal\n"))
    #expect(finished.output.hasSuffix("terminates\n"))
    let ended = try workshop.waitForEnd(1)
    #expect(ended.outcome == .failed)
  }
}

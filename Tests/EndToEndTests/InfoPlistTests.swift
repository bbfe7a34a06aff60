import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// A program whose only description is an app's own `Info.plist`.
@Suite struct InfoPlistTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  /// A hosting program with this file as its bundle, under this prefix.
  private func program(
    _ prefix: String, _ plist: String, _ more: [String: String] = [:]
  ) throws -> HostingProgram {
    try workshop.sandbox.write(plist, to: "app/Info.plist")
    let environment = ["JOBRUN_BUNDLE": workshop.sandbox.path("app"), "PROBE_PREFIX": prefix]
    return try HostingProgram(in: workshop, environment: environment.merging(more) { $1 })
  }

  private func plist(_ keys: String) -> String {
    "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(keys)</dict></plist>"
  }

  private static let identifier = "<key>CFBundleIdentifier</key><string>org.example.app</string>"

  @Test func `what it lists is permitted outside of its own identifier`() throws {
    let program = try program(
      "Stormy",
      plist(
        Self.identifier
          + "<key>BGTaskSchedulerPermittedIdentifiers</key><array><string>Stormy.*</string></array>"
      ))
    try program.tell("submit noon")
    try program.says("began Stormy.noon")
    try program.tell("finish noon")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test func `a binary one is read`() throws {
    let content: [String: Any] = ["CFBundleIdentifier": "org.example.app"]
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: content, format: .binary, options: 0)
    let program = try program("org.example.app", "")
    try bytes.write(to: URL(fileURLWithPath: workshop.sandbox.path("app/Info.plist")))
    try program.tell("submit export")
    try program.says("began org.example.app.export")
  }

  @Test(arguments: [
    ("no plist at all", "is not a property list"),
    ("<plist version=\"1.0\"><array/></plist>", "is not a dictionary"),
    ("<plist version=\"1.0\"><dict/></plist>", "has no CFBundleIdentifier"),
    (
      "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key>"
        + "<string>$(PRODUCT_BUNDLE_IDENTIFIER)</string></dict></plist>", "only Xcode fills in"
    ),
    (
      "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><integer>3</integer></dict></plist>",
      "must be a string"
    ),
  ])
  func `a broken one is refused with its path and what is wrong`(
    plist: String, problem: String
  ) throws {
    let program = try program("org.example.app", plist)
    try program.tell("submit export")
    let said = try program.says(problem)
    #expect(said.contains("refused org.example.app.export notPermitted: "))
    #expect(said.contains(workshop.sandbox.path("app/Info.plist")))
  }

  @Test func `an identifier on neither list is refused, naming both paths`() throws {
    let program = try program("org.other", plist(Self.identifier))
    try program.tell("submit export")
    let said = try program.says("refused org.other.export notPermitted: ")
    #expect(said.contains("org.example.app"))
    #expect(said.contains("BGTaskSchedulerPermittedIdentifiers"))
  }

  @Test func `a kind whose background mode is missing is refused`() throws {
    let program = try program("org.example.app", plist(Self.identifier))
    try program.tell("schedule clean")
    try program.says("do not contain \"processing\"")
  }

  @Test func `a literal pattern is refused with what would be right`() throws {
    let program = try program("org.example.app", plist(Self.identifier))
    try program.tell("submit *")
    try program.says("put a name in place of the *")
  }

  @Test(arguments: ["app", "app/Info.plist", "app/bundle.json"])
  func `what others may write to is not believed, and that is said`(name: String) throws {
    try workshop.sandbox.write("{\"identifier\": \"org.example.app\"}", to: "app/bundle.json")
    let program = try program("org.example.app", plist(Self.identifier))
    #expect(unsafe chmod(workshop.sandbox.path(name), 0o777) == 0)
    try program.tell("submit export")
    let said = try program.says("it must belong to you or root")
    #expect(said.contains("refused org.example.app.export notPermitted: "))
    #expect(said.contains(workshop.sandbox.path(name) + " is writable by everyone"))
  }

  @Test func `a pipe in its place holds nobody up`() throws {
    let program = try program("org.example.app", "")
    let file = workshop.sandbox.path("app/Info.plist")
    try FileManager.default.removeItem(atPath: file)
    #expect(unsafe mkfifo(file, 0o600) == 0)
    try program.tell("submit export")
    try program.says("\(file) is not a file")
  }

  /// A copy of the program with an `Info.plist` beside it, of these owners.
  private func copy(ofUser user: UInt32, plistOfUser other: UInt32) throws -> HostingProgram {
    let sandbox = workshop.sandbox
    try sandbox.write(plist(Self.identifier), to: "own/Info.plist")
    try sandbox.copyExecutable("hosted-probe", to: "own/probe")
    #expect(unsafe chown(sandbox.path("own"), user, user) == 0)
    #expect(unsafe chown(sandbox.path("own/probe"), user, user) == 0)
    #expect(unsafe chown(sandbox.path("own/Info.plist"), other, other) == 0)
    return try HostingProgram(
      in: workshop,
      environment: [
        "JOBRUN_BUNDLE": "", "PROBE": sandbox.path("own/probe"), "PROBE_PREFIX": "org.example.app",
      ])
  }

  @Test func `beside the program the file of the program's owner counts, and no other's`() throws {
    // Without root there is no other user, and the file is ours.
    let other: UInt32 = geteuid() == 0 ? 65_534 : geteuid()
    let whole = try copy(ofUser: other, plistOfUser: other)
    try whole.tell("submit export")
    try whole.says("began org.example.app.export")
    guard geteuid() == 0 else { return }
    try FileManager.default.removeItem(atPath: workshop.sandbox.path("own"))
    let planted = try copy(ofUser: 0, plistOfUser: other)
    try planted.tell("submit import")
    let said = try planted.says("refused org.example.app.import notPermitted: ")
    #expect(said.contains("own/Info.plist belongs to user 65534"))
  }
}

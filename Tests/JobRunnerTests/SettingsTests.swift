import JobCore
import JobRunner
import JobWire
import LinuxSystem
import TestKit
import Testing

@Suite struct SettingsTests {
  @Test func `what is written between the first look at the file and the watch is heard`() throws {
    let sandbox = try Sandbox()
    let path = sandbox.path("config.json")
    let settings = Settings(try Settings.parse(path), path: path)
    try sandbox.write(#"{"slots": 3, "groups": {"narrow": 1}}"#, to: "config.json")
    var heard: [String] = []
    try settings.follow(
      loop: Reactor(), slotsChanged: { heard.append("slots \($0)") },
      groupsChanged: { heard += $0.map { "group \($0) \($1)" } },
      bundlesChanged: { _ in heard.append("bundles") },
      budgetChanged: { _ in heard.append("budget") },
      enginesChanged: { _ in heard.append("engines") },
      resourcesChanged: { _ in }, tell: { heard.append($0) })
    #expect(heard == ["slots 3", "group narrow 1"])
    #expect(settings.slots == 3)
  }

  @Test func `what others may write to is not obeyed, and what was said before holds`() throws {
    let sandbox = try Sandbox()
    let path = try sandbox.write(#"{"slots": 3}"#, to: "config.json")
    let settings = Settings(try Settings.parse(path), path: path)
    try sandbox.write(#"{"slots": 5}"#, to: "config.json")
    try File.setPermissions(0o666, path)
    settings.read()
    #expect(settings.slots == 3)
    let problem = try #require(settings.problem)
    #expect(problem.contains("\(path) is writable by everyone; it must belong to you or root"))
    #expect(problem.hasSuffix("; the previous settings stay in force"))
    try File.setPermissions(0o644, path)
    settings.read()
    #expect(settings.slots == 5)
  }
}

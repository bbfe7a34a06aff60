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
      loop: Reactor(),
      changed: { heard.append("slots \($0.slots ?? 0), groups \($0.groups)") },
      tell: { heard.append($0) })
    #expect(heard == ["slots 0, groups [:]"])
    #expect(settings.slots == 3)
    #expect(settings.current.groups == [GroupName("narrow")!: 1])
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

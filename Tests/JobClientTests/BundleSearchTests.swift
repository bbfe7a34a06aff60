import Foundation
import JobClient
import JobCore
import JobWire
import TestKit
import Testing

/// Where definitions and their commands are found, in real folders.
struct BundleSearchTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  /// A bundle at `path` (relative to the sandbox's work folder) with these definitions.
  @discardableResult
  private func bundle(
    _ path: String, _ identifier: String, _ names: [String], capabilities: String = "[]"
  ) throws -> String {
    try sandbox.write(
      "{\"identifier\": \"\(identifier)\", \"capabilities\": \(capabilities)}",
      to: path + "/bundle.json")
    for name in names {
      try sandbox.write(
        "{\"identifier\": \"\(identifier).\(name).*\", \"command\": [\"\(name)\"]}",
        to: "\(path)/\(name)/job.json")
    }
    return sandbox.path(path)
  }

  private func search(
    flag: String? = nil, environment: Environment = [:], from directory: String = "",
    registered: String = "", installation: String = "/nowhere/bin/jobrun"
  ) -> BundleSearch {
    BundleSearch(
      flag: flag, environment: environment,
      directory: directory.isEmpty ? sandbox.work : sandbox.path(directory),
      registered: registered, configured: [], installation: Installation(program: installation))
  }

  @Test func `the nearest jobs folder at or above is found`() throws {
    try bundle("project/jobs", "org.example.near", ["build"])
    try sandbox.write("", to: "project/deep/er/file")
    let found = try search(from: "project/deep/er").resolve("build", suffix: "s1")
    #expect(found.identifier.text == "org.example.near.build.s1")
    #expect(found.definition.folder == sandbox.path("project/jobs/build"))
  }

  @Test func `what is named first wins: flag, environment, nearest, registered`() throws {
    try bundle("jobs", "org.example.nearest", ["export"])
    let flag = try bundle("flag", "org.example.flag", ["export"])
    let environment = try bundle("environment", "org.example.environment", ["export"])
    let registered = try bundle("registered", "org.example.registered", ["export", "only"])
    func identifier(_ search: BundleSearch, _ name: String = "export") throws -> String {
      try search.resolve(name, suffix: "s").identifier.text
    }
    let all: Environment = ["JOBRUN_JOBS": environment]
    #expect(
      try identifier(search(flag: flag, environment: all, registered: registered + "\n"))
        == "org.example.flag.export.s")
    #expect(
      try identifier(search(flag: "flag", environment: all)) == "org.example.flag.export.s")
    #expect(try identifier(search(environment: all)) == "org.example.environment.export.s")
    #expect(
      try identifier(search(registered: registered + "\n")) == "org.example.nearest.export.s")
    #expect(
      try identifier(search(registered: registered + "\n"), "only")
        == "org.example.registered.only.s")
  }

  @Test func `an installation and a build bring their own jobs`() throws {
    try bundle("prefix/share/jobrun/jobs", "org.example.installed", ["export"])
    try sandbox.write("", to: "prefix/bin/jobrun", executable: true)
    let installed = search(installation: sandbox.path("prefix/bin/jobrun"))
    #expect(
      try installed.resolve("export", suffix: "s").identifier.text
        == "org.example.installed.export.s")

    try bundle("package/jobs", "org.example.built", ["export"])
    for name in ["jobrun", "jobrund"] {
      try sandbox.write("", to: "package/.build/x86/debug/\(name)", executable: true)
    }
    let built = search(installation: sandbox.path("package/.build/x86/debug/jobrun"))
    #expect(
      try built.resolve("export", suffix: "s").identifier.text == "org.example.built.export.s")
  }

  @Test(arguments: [
    ("exprot", 66 as Int32, "export"), ("org.example.other.x", 77, "org.example.jobs"),
    ("org.example.jobs.nothing.x", 66, "org.example.jobs.export.*"), ("org..x", 64, "dots"),
    ("org.example.jobs.export.*", 64, "pattern"), ("org.example.jobsX.export.a", 77, "outside"),
  ])
  func `what means nothing gets a sentence with what would be right`(
    text: String, code: Int32, hint: String
  ) throws {
    try bundle("jobs", "org.example.jobs", ["export", "checksum"])
    let error = try #require(throws: WireError.self) {
      try search().resolve(text, suffix: "s")
    }
    #expect(error.code.exitCode == code)
    #expect(error.message.contains(hint), "\(error.message)")
  }

  @Test func `a broken neighbour is no trouble for a job that is whole`() throws {
    try bundle("jobs", "org.example.jobs", ["export"])
    let broken = try sandbox.write("{\"identifier\": 3}", to: "jobs/broken/job.json")
    #expect(try search().resolve("export", suffix: "s").definition.name == "export")
    let error = try #require(throws: WireError.self) {
      try search().resolve("broken", suffix: "s")
    }
    #expect(error.message.contains(broken))
    #expect(search().readAll().problems.count == 1)
  }

  @Test func `a folder named by the flag must hold a bundle`() throws {
    let error = try #require(throws: WireError.self) {
      try search(flag: "empty").resolve("export", suffix: "s")
    }
    #expect(error.code.exitCode == 66)
    #expect(error.message.contains("--jobs"))
  }

  @Test func `a command is found beside the manifest, then among the jobs, then on PATH`() throws {
    try bundle("jobs", "org.example.jobs", ["export"])
    let definition = try search().resolve("export", suffix: "s").definition
    let installation = Installation(program: sandbox.path("prefix/bin/jobrun"))
    let environment: Environment = ["PATH": "/nonexistent:" + sandbox.path("path")]
    func command() throws -> String {
      try CommandSearch.executable(
        of: definition, installation: installation, environment: environment)
    }
    let error = try #require(throws: WireError.self) { try command() }
    #expect(error.code.exitCode == 66)
    let onPath = try sandbox.write("", to: "path/export", executable: true)
    #expect(try command() == onPath)
    let installed = try sandbox.write(
      "", to: "prefix/libexec/jobrun/jobs/export", executable: true)
    #expect(try command() == installed)
    let beside = try sandbox.write("", to: "jobs/export/export")
    let refusal = try #require(throws: WireError.self) { try command() }
    #expect(refusal.message.contains("not executable"))
    try sandbox.write("", to: "jobs/export/export", executable: true)
    #expect(try command() == beside)
  }

  @Test func `suffixes are new every time and valid labels`() throws {
    let suffixes = Set((0..<1000).map { _ in FreshName.suffix() })
    #expect(suffixes.count == 1000)
    #expect(suffixes.allSatisfy { JobIdentifier("a." + $0) != nil && $0.count == 8 })
  }

  @Test func `registering twice is registering once`() throws {
    let registry = Registry(
      paths: try Paths(environment: ["JOBRUN_HOME": sandbox.home], user: 0))
    #expect(try registry.add("/some/bundle"))
    #expect(try !registry.add("/some/bundle"))
    #expect(try registry.add("/other/bundle"))
    let content = try String(contentsOfFile: registry.paths.registered, encoding: .utf8)
    #expect(content == "/some/bundle\n/other/bundle\n")
  }
}

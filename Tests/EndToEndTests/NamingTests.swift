import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Definitions that `jobrun new` writes, and jobs that are named in words.
struct NamingTests {
  @Test(arguments: ["shell", "python"])
  func `a new definition works at once`(language: String) throws {
    try withSandbox { sandbox in
      let written = try sandbox.run("jobrun", ["new", "count", "--language", language])
      #expect(written.status == 0, "\(written.errors)")
      let program = language == "shell" ? "sh" : language
      // Python is not needed to build or to test: without it the file is only looked at.
      let hasLanguage = try sandbox.run("sh", ["-c", "command -v \(program)3 \(program)"])
      guard hasLanguage.output.contains(program) else { return }
      let finished = try sandbox.run("jobrun", ["submit", "count", "--json"])
      #expect(finished.status == 0, "\(finished.errors)")
      let job = try Workshop.object(finished.output)
      #expect(job.outcome == .succeeded)
      #expect(job.progress?.completed == 10 && job.progress?.total == 10)
      let again = try sandbox.run("jobrun", ["new", "count"])
      #expect(again.status == 73)
      #expect(again.errors.contains("already exists"))
    }
  }

  /// A real build against these sources takes minutes; here the same program is built with the tests.
  @Test func `a new definition in Swift runs as it is written`() throws {
    try withSandbox { sandbox in
      let written = try sandbox.run(
        "jobrun", ["new", "count", "--language", "swift", "--package", BuiltProducts.packageRoot],
        environment: ["USER": "user"])
      #expect(written.status == 0, "\(written.errors)")
      func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
      }
      let built = try text(BuiltProducts.packageRoot + "/Tests/Snippets/New/main.swift")
      #expect(try text(sandbox.path("jobs/count/Sources/count/main.swift")) == built)
      let package = try text(sandbox.path("jobs/count/Package.swift"))
      let root = BuiltProducts.packageRoot
      let article = try text(root + "/Tests/Snippets/FirstJob/Package.swift.txt")
      #expect(package == article.replacingOccurrences(of: "/path/to/jobrun", with: root))
      #expect(
        try text(sandbox.path("jobs/count/job.json")).contains(
          #"""
            "command": [".build/release/count"],
            "build": ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "count"],
          """#))
      // In place of the compiler, which would take minutes, one that has built it already.
      let program = try BuiltProducts.path("jobrun-snippet-new")
      try sandbox.write(
        """
        #!/bin/sh
        [ "$*" = "build -c release --static-swift-stdlib --product count" ] && [ -f Package.swift ] || exit 9
        mkdir -p .build/release && ln -s '\(program)' .build/release/count
        """, to: "bin/swift", executable: true)
      let path = ["PATH": sandbox.path("bin") + ":" + (sandbox.environment["PATH"] ?? "")]
      // What was written within one tick of the clock before the build counts as written during it.
      let aged = try sandbox.run(
        "find", [sandbox.path("jobs/count"), "-exec", "touch", "-d", "1 minute ago", "{}", "+"])
      #expect(aged.status == 0)
      let finished = try sandbox.run(
        "jobrun", ["submit", "count", "--json"], environment: path)
      #expect(finished.errors.contains("built in "))
      #expect(finished.status == 0, "\(finished.errors)")
      let job = try Workshop.object(finished.output)
      #expect(job.outcome == .succeeded, "\(finished.output)")
      #expect(job.progress?.completed == 10 && job.progress?.total == 10)
      #expect(job.title == "count" && job.subtitle == "step 10")
      // Built once: without a compiler it starts again.
      let again = try sandbox.run("jobrun", ["submit", "count", "--json"])
      #expect(again.status == 0 && !again.errors.contains("build"), "\(again.errors)")
    }
  }

  @Test func `a job in Swift needs jobrun's sources, and says so`() throws {
    try withSandbox { sandbox in
      let finished = try sandbox.run(
        "jobrun", ["new", "count", "--language", "swift", "--package", sandbox.work])
      #expect(finished.status == 66)
      #expect(finished.errors.contains("Sources/BackgroundTasks"))
      #expect(!FileManager.default.fileExists(atPath: sandbox.path("jobs/count")))
    }
  }

  @Test func `jobs are named by their order, their titles and beginnings of them`() throws {
    let shop = try Workshop()
    try shop.defineGated("gated")
    let first = try shop.submit("gated", "--title", "First one")
    let second = try shop.submit("gated", "--title", "Second one")
    func number(_ name: String) throws -> String {
      try shop.jobrun("list", "--format", "number,title").output
        .split(separator: "\n").first { $0.contains(name) }.map(String.init) ?? ""
    }
    #expect(try number("Second one") == "\(second.number)\tSecond one")
    #expect(try Workshop.object(shop.jobrun("show", "@", "--json").output).number == second.number)
    #expect(try Workshop.object(shop.jobrun("show", "@~1", "--json").output).number == first.number)
    #expect(try Workshop.object(shop.jobrun("show", "fir", "--json").output).number == first.number)
    let unclear = try shop.jobrun("cancel", "gated")
    #expect(unclear.status == 64)
    #expect(unclear.errors.contains("2 live jobs"))
    #expect(try shop.jobrun("cancel", "Second").status == 0)
    #expect(try shop.jobrun("wait", "\(first.number)", "@", "--any").status == 130)
    #expect(try shop.jobrun("wait", "First", "--timeout", "10ms").status == 122)
    let gate = try shop.openGate()
    #expect(try shop.jobrun("wait", "First").status == 0)
    gate.signal(9)
    #expect(try shop.jobrun("forget", "\(first.number)", "@").status == 0)
    #expect(try shop.jobrun("show", "@").status == 66)
  }

  @Test func `the runner's unit is written and removed again`() throws {
    try withSandbox { (sandbox) throws in
      let unit = sandbox.path(".config/systemd/user/jobrun.service")
      let link = sandbox.path(".config/systemd/user/default.target.wants/jobrun.service")
      #expect(try sandbox.run("jobrun", ["runner", "enable"]).status == 0)
      #expect(try String(contentsOfFile: unit, encoding: .utf8).contains("jobrund"))
      #expect(FileManager.default.fileExists(atPath: link))
      #expect(try sandbox.run("jobrun", ["runner", "disable"]).status == 0)
      #expect(!FileManager.default.fileExists(atPath: unit))
      #expect(try sandbox.run("jobrun", ["runner", "disable"]).errors.contains("not enabled"))
    }
  }
}

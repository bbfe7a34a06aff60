import Testing

/// Each rule finds real violations and lets look-alikes pass.
struct RuleTests {
  @Test(arguments: [
    ("Sources/JobCore", "import Foundation"),
    ("Sources/JobCore", "package import JobWire"),
    ("Sources/JobCore", "let x = 1; import Glibc"),
    ("Sources/JobWire", "import Foundation"),
    ("Sources/JobStore", "import struct Foundation.Date"),
    ("Sources/JobRunner", "@preconcurrency import CSQLite"),
    ("Sources/jobrun", "import JobStore"),
    ("Sources/jobrun-shim", "internal import JobCore"),
    ("Sources/NewTarget", "import Swift"),
    ("Sources/BackgroundTasks", "public import JobCore"),
    ("Sources/LinuxSystem", "public import Glibc"),
    ("Sources/JobPage", "@_exported import LinuxSystem"),
    ("Tests/JobCoreTests", "@testable import JobCore"),
    ("jobs/export", "import JobWire"),
  ])
  func `a forbidden import is found`(area: String, line: String) {
    let file = SourceFile(path: area + "/File.swift", text: "// A line.\n\(line)\n")
    let findings = ImportTable.findings(in: file)
    #expect(findings.count == 1, "\(findings.report)")
  }

  @Test func `a forbidden import is reported with its place and what is allowed`() {
    let file = SourceFile(path: "Sources/JobPage/Page.swift", text: "\nimport Foundation\n")
    #expect(
      ImportTable.findings(in: file).map(\.description) == [
        "Sources/JobPage/Page.swift:2: Sources/JobPage may not import Foundation; "
          + "it may import LinuxSystem, Synchronization"
      ])
  }

  @Test(arguments: [
    ("Sources/JobWire", "package import JobCore"),
    ("Sources/BackgroundTasks", "public import Foundation"),
    ("Tests/CommandLineTests", "@testable import jobrun"),
    ("Sources/JobCore", "// import Foundation"),
    ("Sources/JobCore", "let text = \"import Foundation\""),
    ("Sources/JobCore", "let text = \"\"\"\n  import Foundation\n  \"\"\""),
    ("Sources/JobCore", "read(import: 1)"),
  ])
  func `an allowed import and what only looks like one pass`(area: String, line: String) {
    let file = SourceFile(path: area + "/File.swift", text: line)
    #expect(ImportTable.findings(in: file).isEmpty)
  }

  @Test(arguments: [
    ("Sources/JobCore/A.swift", "let now = ContinuousClock.now"),
    ("Sources/JobRunner/A.swift", "let now = Date()"),
    ("Sources/JobRunner/A.swift", "let now = Date( \n )"),
    ("Sources/JobRunner/A.swift", "print(1)"),
    ("Sources/JobWire/A.swift", "let x = try! decode()"),
    ("jobs/export/A.swift", "default: fatalError()"),
    ("Sources/JobWire/A.swift", "// TODO: later"),
    ("Sources/JobWire/A.swift", "/* one\n FIXME */"),
    ("Tests/JobCoreTests/A.swift", "try await Task.sleep(for: .seconds(1))"),
    ("Tests/JobCoreTests/A.swift", "usleep(10)"),
    ("Tests/JobCoreTests/A.swift", "@Test(.disabled(\"slow\")) func `a`() {}"),
    ("Tests/JobCoreTests/A.swift", "#expect(true)"),
    ("Tests/JobCoreTests/A.swift", "await #expect(processExitsWith: .success) {}"),
    ("Sources/JobWire/A.swift", "let text = \"at \\(Date())\""),
  ])
  func `a banned word is found`(path: String, text: String) {
    let findings = BannedWords.findings(in: SourceFile(path: path, text: text))
    #expect(findings.count == 1, "\(findings.report)")
  }

  @Test(arguments: [
    ("Sources/JobCore/A.swift", "let later = now.advanced(by: 1)"),
    ("Sources/JobRunner/A.swift", "let text = \"Date()\" // print( is not used"),
    ("Sources/JobRunner/A.swift", "output.print(1); func print(_ x: Int) {}"),
    ("jobs/export/A.swift", "print(1)"),
    ("Sources/jobrun-helper/A.swift", "print(1)"),
    ("Tests/JobCoreTests/A.swift", "run(\"sh\", [\"-c\", #\"sleep(1) \"TODO\" fatalError()\"#])"),
    ("Sources/JobWire/A.swift", "let pattern = /try!/"),
    ("Sources/JobWire/A.swift", "let x = try !isDone()"),
    ("Sources/JobWire/A.swift", "// Reads \\uXXXX."),
  ])
  func `what only looks like a banned word passes`(path: String, text: String) {
    let findings = BannedWords.findings(in: SourceFile(path: path, text: text))
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `a long file is found`() {
    let text = String(repeating: "\n", count: 401)
    #expect(SizeRule.findings(in: SourceFile(path: "Sources/A/A.swift", text: text)).count == 1)
    #expect(SizeRule.findings(in: SourceFile(path: "A.swift", text: String(text.dropLast()))) == [])
  }

  @Test func `functions are measured whatever braces their strings and comments hold`() {
    let text = """
      protocol P {
        func required() -> Int
        var value: Int { get }
      }
      func short() { _ = "}" /* } */ }
      init(a: () -> Void = {}) {
        // {
        let s = "\\(f { "}" })"
      }
      func `raw {`<T>(x: [T]) where T: Equatable
      {
        self.init()
      }
      """
    let functions = SizeRule.functions(of: SourceFile(path: "A.swift", text: text))
    #expect(functions.map(\.name) == ["short", "init", "`raw {`"])
    #expect(functions.map(\.lines) == [1, 4, 4])
  }

  @Test func `a long function is found`() {
    let body = String(repeating: "  f()\n", count: 69)
    let file = SourceFile(path: "Sources/A/A.swift", text: "\nfunc long() {\n\(body)}\n")
    #expect(
      SizeRule.findings(in: file).map(\.description) == [
        "Sources/A/A.swift:2: long has 71 lines; at most 70"
      ])
  }

  @Test func `a test without its attribute is found`() {
    let text = """
      @Test func `one`() {}
      func `two`() {}
      @Test(arguments: [1, 2].map { $0 })
      func testThree(x: Int) {}
      func testFour() {}
      func helper() {}
      """
    let file = SourceFile(path: "Tests/JobCoreTests/A.swift", text: text)
    #expect(TestAttributeRule.findings(in: file).map(\.line) == [2, 5])
  }

  @Test func `an empty name and a machine's folder are found`() {
    let named = SourceFile(path: "Sources/A/A.swift", text: "final class JobManager {}")
    #expect(NameRule.findings(in: named).count == 1)
    let folder = "/" + "root/"
    let placed = SourceFile(path: "README.md", text: "see \(folder)x\nand state\(folder)x")
    #expect(MachinePathRule.findings(in: placed).map(\.line) == [1])
  }
}

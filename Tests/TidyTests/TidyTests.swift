import Testing

/// The style rules of the project as a test; see `RuleTests` for what each rule finds.
struct TidyTests {
  private let repository: Repository

  init() throws {
    repository = try Repository.whole.get()
  }

  @Test func `the rules see the sources`() {
    for area in ["Sources/JobCore", "Sources/jobrun", "Tests/TidyTests", "jobs/export"] {
      #expect(repository.files.contains { $0.area == area && $0.isSwift }, "\(area)")
    }
  }

  @Test func `each layer imports only what lies below it`() {
    let findings = repository.findings(ImportTable.findings)
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `files and functions are short`() {
    let findings = repository.findings(SizeRule.findings)
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `nothing banned is used and nothing is left unfinished`() {
    let findings = repository.findings(BannedWords.findings)
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `text from outside is printed where it is made safe`() {
    let findings = repository.findings(PrintRule.findings)
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test(arguments: [
    ("Sources/jobrun/A.swift", "print(title)", 1), ("Sources/JobRunner/A.swift", "fputs(a, b)", 1),
    ("Sources/JobRunner/A.swift", "StandardError.write(title)", 1),
    ("Sources/jobrun/A.swift", "data.write(log: bytes)", 1),
    ("Sources/jobrun/A.swift", "talk.write(frame: text)", 1),
    ("Sources/jobrun/A.swift", "data.write(line: title); data.buffer(json: bytes)", 0),
    ("Sources/jobrun/A.swift", "page.print(1)", 0), ("Tests/A.swift", "fputs(a, b)", 0),
  ])
  func `a print past that place is found`(_ path: String, _ text: String, _ count: Int) {
    #expect(PrintRule.findings(in: SourceFile(path: path, text: text)).count == count)
  }

  @Test func `every function that reads like a test runs`() {
    let findings = repository.findings(TestAttributeRule.findings)
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `types are named after things`() {
    let findings = repository.findings(NameRule.findings)
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test func `no file knows the machine it was written on`() {
    let others = ["README.md", "Makefile", "Package.swift", ".ci/run", ".ci/dependencies"]
    let files =
      repository.files
      + others.compactMap { path in
        Repository.text(of: path).map { SourceFile(path: path, text: $0) }
      }
    let findings = files.flatMap(MachinePathRule.findings)
    #expect(findings.isEmpty, "\(findings.report)")
  }
}

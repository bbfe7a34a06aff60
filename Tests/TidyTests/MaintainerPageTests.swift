import TestKit
import Testing

/// The statements of the pages for maintainers are true.
struct MaintainerPageTests {
  private let repository: Repository
  private static let pages = [
    "README.md", "Sources/ARCHITECTURE.md", ".github/CHANGELOG.md", ".github/CONTRIBUTING.md",
    ".github/SECURITY.md",
  ]

  init() throws {
    repository = try Repository.whole.get()
  }

  @Test func `what comments and pages refer to is in the repository`() throws {
    let pages = try Self.pages.map {
      SourceFile(path: $0, text: try #require(Repository.text(of: $0), "\($0)"))
    }
    let files = repository.files + pages
    let findings = files.flatMap { CitationRule.findings(in: $0, among: repository.paths) }
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test(arguments: [
    ("Sources/JobCore/A.swift", "// As in plan.md.", 1),
    ("Sources/JobCore/A.swift", "// As in page.md, §2.", 1),
    ("Sources/JobCore/A.swift", "let name = \"plan.md\"  // page.md", 0),
    ("Sources/JobWire/A.md", "see `../JobPage/page.md` and Sources/JobPage/page.md", 0),
    ("Sources/JobWire/A.md", "see ../page.md", 1),
    ("jobs/a/a", "# as page.md says\necho plan.md", 0),
  ])
  func `a page that nobody has is found`(_ path: String, _ text: String, _ count: Int) {
    let file = SourceFile(path: path, text: text)
    let found = CitationRule.findings(in: file, among: ["Sources/JobPage/page.md"])
    #expect(found.count == count, "\(found)")
  }

  @Test(arguments: pages) func `every folder and file that a page names is there`(
    _ page: String
  ) throws {
    let text = try Document(page).text
    let named = text.matches(of: /`((?:Sources|Tests|\.ci|\.github)\/[^`* ]+)`/)
    for name in named.map({ String($0.1) }) {
      let isThere = repository.paths.contains { $0 == name || $0.hasPrefix(name + "/") }
      #expect(isThere, "\(name)")
    }
  }

  @Test(arguments: pages) func `every target of make that a page names is there`(
    _ page: String
  ) throws {
    let makefile = try #require(Repository.text(of: "Makefile"))
    for target in try Document(page).text.matches(of: /`make ([a-z][a-z-]*)/).map({ $0.1 }) {
      #expect(makefile.contains("\n\(target):"), "make \(target)")
    }
  }

  @Test func `the versions are those of the code`() throws {
    let rows = try Document(".github/CHANGELOG.md").table(below: "## The rule for versions")
    let versions = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    let wire = try #require(source("enum Request:").firstMatch(of: /version: UInt64 = (\d+)/))
    let page = try #require(source("enum PageLayout").firstMatch(of: /version: UInt32 = (\d+)/))
    let schema = try #require(source("enum Schema").firstMatch(of: /let version = (\d+)/))
    let release = try #require(source("enum Version").firstMatch(of: /text = "([^"]+)"/))
    #expect(versions["protocol"] == String(wire.1))
    #expect(versions["progress page"] == String(page.1))
    #expect(versions["store schema"] == String(schema.1))
    let changes = try Document(".github/CHANGELOG.md").text
    #expect(changes.contains("\nVersion \(release.1),") || changes.contains("\n## \(release.1)"))
  }

  /// The file of the sources that holds this declaration.
  private func source(_ declaration: String) -> String {
    repository.files.first {
      $0.path.hasPrefix("Sources/") && $0.isSwift && $0.text.contains("package \(declaration)")
        || $0.path.hasPrefix("Sources/") && $0.text.contains("\n\(declaration)")
    }?.text ?? ""
  }
}

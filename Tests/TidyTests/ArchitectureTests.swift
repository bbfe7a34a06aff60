import TestKit
import Testing

/// `ARCHITECTURE.md` is short, and its statements about modules and tests are true.
struct ArchitectureTests {
  private let page: Document
  private let repository: Repository

  init() throws {
    page = try Document("Sources/ARCHITECTURE.md")
    repository = try Repository.whole.get()
  }

  @Test func `the page can be read at once`() {
    #expect(page.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
  }

  @Test func `the layers import what the rule allows`() {
    let rows = page.table(below: "## Layers")
    let shown = rows.map { (Document.code(in: $0[0]).first ?? "", Set(Document.code(in: $0[2]))) }
    let allowed = ImportTable.allowed.filter { $0.key.hasPrefix("Sources/") }
    #expect(Set(shown.map { "Sources/\($0.0)" }) == Set(allowed.keys))
    for (folder, modules) in shown {
      #expect(modules == allowed["Sources/\(folder)"], "\(folder)")
    }
  }

  @Test func `every file that answers a question is there`() {
    let rows = page.table(below: "## Where to look")
    let files = rows.flatMap { Document.code(in: $0[1]) + Document.code(in: $0[3]) }
    #expect(files.count == 20)
    for file in files { #expect(repository.paths.contains("Sources/\(file)"), "\(file)") }
  }

  @Test func `every promise is proved by tests that are there`() {
    let rows = page.table(below: "## Promises")
    #expect(rows.count >= 10)
    for row in rows {
      let files = Document.code(in: row[2]).filter { !$0.hasPrefix("make ") }
      let texts = files.map { Repository.text(of: "Tests/\($0).swift") ?? "" }
      for (file, text) in zip(files, texts) { #expect(!text.isEmpty, "\(file)") }
      let names = row[2].matches(of: /\*([^*]+)\*/).map { "`\($0.1)`" }
      for name in names {
        #expect(texts.contains { $0.contains(name) }, "\(row[0]): \(name)")
      }
      #expect(!names.isEmpty || row[2].contains("`make "), "\(row[0])")
    }
  }

  @Test func `every folder that keeps a promise is there`() {
    for row in page.table(below: "## Promises") {
      for place in Document.code(in: row[1]).filter({ $0.contains("/") }) {
        let path = "Sources/\(place)"
        #expect(
          repository.paths.contains { $0 == path + ".swift" || $0.hasPrefix(path + "/") },
          "\(place)")
      }
    }
  }
}

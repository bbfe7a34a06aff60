import Testing

/// Tests exist for the promises of `SECURITY.md`.
struct SecurityPageTests {
  @Test func `every test that the page names is there`() throws {
    let page = try #require(Repository.text(of: ".github/SECURITY.md"))
    let repository = try Repository.whole.get()
    let named = Set(page.matches(of: /`([A-Z][A-Za-z]*Tests)`/).map { String($0.1) })
    #expect(named.count >= 8)
    for name in named.sorted() {
      let isThere = repository.paths.contains { path in
        path.hasPrefix("Tests/") && path.hasSuffix("/\(name).swift")
      }
      #expect(isThere, "\(name)")
    }
  }

  @Test func `every promise names its test`() throws {
    let page = try #require(Repository.text(of: ".github/SECURITY.md"))
    let rest = try #require(page.split(separator: "## What is checked where\n").last)
    let promises = try #require(rest.split(separator: "\n## ").first).split(separator: "\n- ")
    #expect(promises.count >= 10)
    for promise in promises {
      #expect(promise.contains(/\[(`[A-Z][A-Za-z]*Tests`(, )?)+\]/), "\(promise)")
    }
  }

  @Test func `the page says whom it trusts and what it leaves out`() throws {
    let page = try #require(Repository.text(of: ".github/SECURITY.md"))
    for heading in ["Who is trusted", "What is checked where", "Out of scope"] {
      #expect(page.contains("\n## \(heading)\n"), "\(heading)")
    }
  }
}

import Foundation
import TestKit
import Testing

/// The shape of the repository as a whole.
struct RepositoryTests {
  private let repository: Repository

  init() throws {
    repository = try Repository.whole.get()
  }

  @Test func `the top level holds only what belongs there`() {
    let allowed: Set = ["Package.swift", "Sources", "Tests", "jobs", "README.md", "Makefile"]
    let top = Set(repository.paths.compactMap { $0.split(separator: "/").first.map(String.init) })
    let extra = top.filter { !allowed.contains($0) && !$0.hasPrefix(".") }
    #expect(extra.isEmpty, "\(extra.sorted())")
    #expect(allowed.isSubset(of: top), "missing: \(allowed.subtracting(top).sorted())")
  }

  @Test func `the package depends on nothing from outside`() throws {
    let manifest = SourceFile(
      path: "Package.swift", text: try #require(Repository.text(of: "Package.swift")))
    #expect(manifest.offsets(of: [".", "package", "("]).isEmpty)
    #expect(manifest.offsets(of: [".", "target", "("]).count > 5)
  }

  @Test func `the documents that are promised are there`() {
    let documents = [
      "README.md", "Makefile", ".ci/run", ".swift-format", "Sources/JobPage/page.md",
      "Sources/JobPage/run-record.md", "Sources/JobPage/launch-order.md",
      "Sources/JobWire/protocol.md", "Sources/JobWire/submission.md", "Sources/ARCHITECTURE.md",
      ".github/SECURITY.md",
      ".github/CONTRIBUTING.md", ".github/CHANGELOG.md",
      "jobs/bundle.json", "jobs/export/job.json", "jobs/gpu-check/job.json",
      "jobs/checksum/job.json", "jobs/checksum/checksum",
    ]
    for document in documents {
      #expect(repository.paths.contains(document), "\(document)")
    }
  }

  @Test func `the format names every rule, since one left out is off`() throws {
    let text = try #require(Repository.text(of: ".swift-format"))
    let format = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let rules = try #require(format["rules"] as? [String: Bool])
    #expect(rules.count >= 43)
    for rule in [
      "AllPublicDeclarationsHaveDocumentation", "BeginDocumentationCommentWithOneLineSummary",
      "NeverForceUnwrap", "NeverUseForceTry", "NeverUseImplicitlyUnwrappedOptionals",
      "OmitExplicitReturns", "UseEarlyExits", "ValidateDocumentationComments",
    ] {
      #expect(rules[rule] == true, "\(rule)")
    }
  }

  @Test func `every target of the Makefile is explained`() throws {
    let makefile = try #require(Repository.text(of: "Makefile"))
    for target in [
      "help", "build", "release", "demo", "test", "check", "format", "bench", "install", "clean",
    ] {
      let rule = makefile.split(separator: "\n").first { $0.hasPrefix(target + ":") }
      #expect(rule?.contains("## ") == true, "\(target)")
    }
  }

  @Test func `the README names only targets that exist`() throws {
    let readme = try #require(Repository.text(of: "README.md"))
    let makefile = try #require(Repository.text(of: "Makefile"))
    let named = readme.matches(of: /(?:`|^|\n)make ([a-z]+)/).map { String($0.1) }
    #expect(named.contains("demo") && named.contains("test"))
    for target in named {
      #expect(makefile.contains("\n\(target):"), "make \(target)")
    }
  }
}

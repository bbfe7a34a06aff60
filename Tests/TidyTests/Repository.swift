import Foundation
import TestKit

/// The files that a clone of this repository holds.
struct Repository {
  /// Everything, relative to the package's folder, ascending.
  let paths: [String]
  /// Text files of `Sources`, `Tests` and `jobs`.
  let files: [SourceFile]

  /// Read once for all tests: to take every source apart is most of their work.
  static let whole = Result { try Repository() }

  private init() throws {
    paths = try Self.trackedPaths() ?? Self.presentPaths()
    let endings = [".swift", ".c", ".h", ".sh", ".json", ".md", ".modulemap"]
    files = paths.filter { path in
      ["Sources/", "Tests/", "jobs/"].contains(where: path.hasPrefix)
        && (endings.contains(where: path.hasSuffix) || !path.contains("."))
    }.compactMap { path in
      Self.text(of: path).map { SourceFile(path: path, text: $0) }
    }
  }

  static func text(of path: String) -> String? {
    guard let bytes = FileManager.default.contents(atPath: BuiltProducts.packageRoot + "/" + path)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  func findings(_ rule: (SourceFile) -> [Finding]) -> [Finding] {
    files.flatMap(rule)
  }

  /// The files that git tracks or would track; nil outside a checkout or without git.
  private static func trackedPaths() throws -> [String]? {
    let arguments = [
      "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard",
    ]
    let git = try? ChildProcess(
      "git", arguments, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/"],
      directory: BuiltProducts.packageRoot)
    guard let listing = try git?.wait(), listing.status == 0 else { return nil }
    let existing = listing.output.split(separator: "\0").map(String.init).filter {
      FileManager.default.fileExists(atPath: BuiltProducts.packageRoot + "/" + $0)
    }
    return Set(existing).sorted()
  }

  /// All files except build folders.
  private static func presentPaths() -> [String] {
    let root = BuiltProducts.packageRoot
    let entries = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return entries.filter { !$0.hasPrefix(".") }.sorted()
  }
}

import Foundation
import Glibc

/// The executables of the build that this test belongs to.
package enum BuiltProducts {
  /// An executable is not in the build's folder: it was not built, or the name is wrong.
  package struct Missing: Error, CustomStringConvertible {
    package var name: String
    package var folder: String

    package var description: String {
      "\(name) is not in \(folder): build it with `swift build` and the same options first"
    }
  }

  /// The folder of `Package.swift`: this file lies at `Tests/TestKit/` below it.
  package static let packageRoot: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.path
  }()

  /// The folder of the running test bundle (`.build/<triple>/debug`, with any `--scratch-path` and
  /// configuration), which also has the executables; or the one that JOBRUN_PRODUCTS names, such as that of a
  /// release.
  package static let folder: String = {
    if let named = ProcessInfo.processInfo.environment[chosen] { return resolved(named) }
    let images = CommandLine.arguments + [resolved("/proc/self/exe")] + mappedFiles()
    for image in images {
      let parts = image.split(separator: "/", omittingEmptySubsequences: false)
      guard let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }), bundle > 1 else {
        continue
      }
      return resolved(parts[..<bundle].joined(separator: "/"))
    }
    // A program of the build itself, which has no test bundle loaded.
    let beside = URL(fileURLWithPath: resolved("/proc/self/exe")).deletingLastPathComponent().path
    if unsafe access(beside + "/jobrund", X_OK) == 0 { return beside }
    return packageRoot + "/.build/debug"
  }()

  /// Whether the executables are those of a release (`make test-release`), not of this test's build.
  package static let areReleased = ProcessInfo.processInfo.environment[chosen] != nil
  private static let chosen = "JOBRUN_PRODUCTS"

  /// Whether another user may execute them: not where the package lies below a private folder, such as root's home.
  package static let areReachableByOthers: Bool = {
    var place = URL(fileURLWithPath: folder)
    while place.path != "/" {
      var status = stat()
      guard unsafe stat(place.path, &status) == 0, status.st_mode & 0o001 != 0 else { return false }
      place.deleteLastPathComponent()
    }
    return true
  }()

  /// The path of a built executable, such as `jobrun-shim`.
  ///
  /// - Throws: `Missing`, naming the folder that was searched.
  package static func path(_ name: String) throws(Missing) -> String {
    let path = folder + "/" + name
    guard unsafe access(path, X_OK) == 0 else { throw Missing(name: name, folder: folder) }
    return path
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Paths of the files mapped into this process (`man proc_pid_maps`, sixth column).
  private static func mappedFiles() -> [String] {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else {
      return []
    }
    return maps.split(separator: "\n").compactMap { line in
      line.firstIndex(of: "/").map { String(line[$0...]) }
    }
  }
}

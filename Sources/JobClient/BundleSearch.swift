import JobCore
package import JobWire
import LinuxSystem

/// Finds bundles and reads no more of them than needed.
package struct BundleSearch {
  /// Why a folder is searched.
  package enum Origin: String, Hashable, CaseIterable {
    case flag = "--jobs"
    case environment = "$JOBRUN_JOBS"
    case nearest = "the nearest jobs folder"
    case registered = "registered"
    case configuration = "config.json"
    case installation = "comes with jobrun"
  }

  /// A folder that holds, or should hold, a bundle.
  package struct SearchRoot: Hashable {
    package var folder: String
    package var origin: Origin
  }

  /// The definitions that were read, and the files that could not be.
  package struct Findings {
    package var bundles: [Bundle] = []
    /// One sentence each, naming file and key.
    package var problems: [String] = []
    /// Files that another user may have written, one sentence each.
    package var passedOver: [String] = []
  }

  /// In the order of precedence.
  package let roots: [SearchRoot]
  /// A bundle above the current folder that is not accepted, in one sentence.
  let nearestPassedOver: String?
  /// Why the search above the current folder ended early, in one sentence.
  let nearestEnd: String?

  /// The folders to search: `flag` is the value of `--jobs`, `directory` the current folder, `registered`
  /// the content of `state/registered`, one folder a line.
  package init(
    flag: String?, environment: Environment, directory: String, registered: String,
    configured: [String], installation: Installation
  ) {
    var roots: [SearchRoot] = []
    if let flag {
      roots.append(SearchRoot(folder: Self.absolute(flag, in: directory), origin: .flag))
    }
    for folder in (environment["JOBRUN_JOBS"] ?? "").split(separator: ":") {
      let path = Self.absolute(String(folder), in: directory)
      roots.append(SearchRoot(folder: path, origin: .environment))
    }
    let nearest = NearestBundle(from: directory, home: environment["HOME"])
    if let folder = nearest.folder { roots.append(SearchRoot(folder: folder, origin: .nearest)) }
    (nearestPassedOver, nearestEnd) = (nearest.passedOver, nearest.end)
    for folder in registered.split(separator: "\n") where folder.hasPrefix("/") {
      roots.append(SearchRoot(folder: String(folder), origin: .registered))
    }
    roots += configured.map { SearchRoot(folder: $0, origin: .configuration) }
    roots.append(SearchRoot(folder: installation.jobs, origin: .installation))
    self.roots = Self.withoutRepetitions(roots)
  }

  private static func absolute(_ path: String, in directory: String) -> String {
    let whole = path.hasPrefix("/") ? path : directory + "/" + path
    return (try? File.resolved(whole)) ?? whole
  }

  /// A folder that is found twice counts once, at its first position.
  private static func withoutRepetitions(_ roots: [SearchRoot]) -> [SearchRoot] {
    var seen: Set<String> = []
    return roots.filter { seen.insert((try? File.resolved($0.folder)) ?? $0.folder).inserted }
  }
}

import JobCore
package import JobWire
import LinuxSystem

/// Finds bundles and reads of them no more than is needed.
package struct BundleSearch {
  /// Why a folder was looked at.
  package enum Origin: String, Hashable, CaseIterable {
    case flag = "--jobs"
    case environment = "$JOBRUN_JOBS"
    case nearest = "the nearest jobs folder"
    case registered = "registered"
    case configuration = "config.json"
    case installation = "comes with jobrun"
  }

  /// A folder that holds, or should hold, a bundle.
  package struct Place: Hashable {
    package var folder: String
    package var origin: Origin
  }

  /// What was read, and every file that could not be.
  package struct Findings {
    package var bundles: [Bundle] = []
    /// One sentence each, naming file and key.
    package var problems: [String] = []
    /// What another user may have written, one sentence each.
    package var passedOver: [String] = []
  }

  /// In the order in which the first wins.
  package let places: [Place]
  /// A bundle above the current folder that does not count, in one sentence.
  let nearestPassedOver: String?
  /// Why the search above the current folder ended early, in one sentence.
  let nearestEnd: String?

  /// Where to look: `flag` is the value of `--jobs`, `directory` the current folder, `registered` the
  /// content of `state/registered`, one folder a line.
  package init(
    flag: String?, environment: Environment, directory: String, registered: String,
    configured: [String], installation: Installation
  ) {
    var places: [Place] = []
    if let flag {
      places.append(Place(folder: Self.absolute(flag, in: directory), origin: .flag))
    }
    for folder in (environment["JOBRUN_JOBS"] ?? "").split(separator: ":") {
      let path = Self.absolute(String(folder), in: directory)
      places.append(Place(folder: path, origin: .environment))
    }
    let nearest = NearestBundle(from: directory, home: environment["HOME"])
    if let folder = nearest.folder { places.append(Place(folder: folder, origin: .nearest)) }
    (nearestPassedOver, nearestEnd) = (nearest.passedOver, nearest.end)
    for folder in registered.split(separator: "\n") where folder.hasPrefix("/") {
      places.append(Place(folder: String(folder), origin: .registered))
    }
    places += configured.map { Place(folder: $0, origin: .configuration) }
    places.append(Place(folder: installation.jobs, origin: .installation))
    self.places = Self.withoutRepetitions(places)
  }

  private static func absolute(_ path: String, in directory: String) -> String {
    let whole = path.hasPrefix("/") ? path : directory + "/" + path
    return (try? File.resolved(whole)) ?? whole
  }

  /// The same folder found twice counts once, at its first place.
  private static func withoutRepetitions(_ places: [Place]) -> [Place] {
    var seen: Set<String> = []
    return places.filter { seen.insert((try? File.resolved($0.folder)) ?? $0.folder).inserted }
  }
}

import JobWire
import LinuxSystem

/// The `jobs` folder that belongs to the current folder: beside it, or beside one of its parents.
///
/// The search stops at the home folder, the root of a mount, or the first folder that another user may
/// write to, where anybody may have put a bundle.
package struct NearestBundle {
  /// The folder that holds the `bundle.json`; nil when there is none.
  package private(set) var folder: String?
  /// The bundle that was found and not accepted, with the reason.
  package private(set) var passedOver: String?
  /// Why the search ended before the root folder, where that may surprise.
  package private(set) var end: String?

  package init(from directory: String, home: String?) {
    let home = home.flatMap { (try? File.status($0)) ?? nil }
    var folder = directory
    while folder.hasPrefix("/") {
      let jobs = folder == "/" ? "/jobs" : folder + "/jobs"
      let isThere = File.exists(jobs + "/bundle.json")
      do throws(TrustedPath.Problem) {
        try TrustedPath.check(folder: folder)
      } catch {
        if isThere { passedOver = BundleSearch.passedOver(jobs, error) }
        end = "the search for a jobs folder ended at \(folder), as it \(error.reason)"
        return
      }
      if isThere {
        self.folder = jobs
        return
      }
      if folder == "/" || Self.isEnd(folder, home: home) { return }
      folder = File.parent(of: folder)
    }
  }

  private static func isEnd(_ folder: String, home: FileStatus?) -> Bool {
    guard let opened = try? File.open(folder, [.path, .directory]),
      let status = try? opened.status()
    else { return true }
    if let home, status.device == home.device, status.node == home.node { return true }
    return opened.isMountRoot() ?? false
  }
}

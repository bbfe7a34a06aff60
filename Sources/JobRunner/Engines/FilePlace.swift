import JobPage
import LinuxSystem

/// Where the working folder of a job with `--send` or `--fetch` is on another machine: at the same place
/// below the home folder, or under the same path if it is not below home here.
package struct FilePlace: Hashable, Sendable {
  /// The folder here that corresponds to `target`: the home folder, or `/`.
  package let base: String
  /// The same there, as rsync(1) takes it after the colon; empty = home.
  package let target: String
  /// The working folder, relative to both; empty = the same.
  package let folder: String

  init(_ specification: LaunchSpecification) {
    let home = specification.value(of: "HOME").map { String(decoding: $0, as: UTF8.self) }
    self.init(String(decoding: specification.directory, as: UTF8.self), home: home)
  }

  /// `home`: also by its path without links, as working folders are known by.
  package init(_ directory: String, home: String?) {
    for home in [home, home.flatMap { try? File.resolved($0) }] {
      guard let home, home.hasPrefix("/"), home != "/" else { continue }
      let prefix = home.hasSuffix("/") ? home : "\(home)/"
      guard "\(directory)/".hasPrefix(prefix) else { continue }
      (base, target, folder) = (home, "", String(directory.dropFirst(prefix.count)))
      return
    }
    (base, target, folder) = ("/", "/", String(directory.drop { $0 == "/" }))
  }

  /// The working folder in a launch order for that machine: relative to its home folder, or absolute.
  package var directory: String {
    if target.isEmpty { return folder.isEmpty ? "." : folder }
    return "/\(folder)"
  }

  /// A path of `--send` or `--fetch`, relative to `base` and `target`.
  package func place(of path: String) -> String {
    if path == "." { return folder.isEmpty ? "." : folder }
    return folder.isEmpty ? path : "\(folder)/\(path)"
  }
}

internal import JobFiles

/// The supported kinds of archive, by their file name extensions.
enum ArchiveFormat: CaseIterable {
  case gzippedTar, zstandardTar, zip

  /// The first one is used for new names.
  var endings: [String] {
    switch self {
    case .gzippedTar: [".tar.gz", ".tgz"]
    case .zstandardTar: [".tar.zst", ".tzst"]
    case .zip: [".zip"]
    }
  }

  /// Whether two names of one file can be stored as a hard link.
  var storesHardLinks: Bool { self != .zip }

  /// Nil when no format has this extension.
  init?(endingOf path: BytePath) {
    let found = Self.allCases.first { format in format.endings.contains { path.hasSuffix($0) } }
    guard let found else { return nil }
    self = found
  }

  static var allEndings: String { allCases.flatMap(\.endings).joined(separator: ", ") }
}

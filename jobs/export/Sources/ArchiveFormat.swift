internal import JobFiles

/// The kinds of archive that can be written, by the ending of their names.
enum ArchiveFormat: CaseIterable {
  case gzippedTar, zstandardTar, zip

  /// The first one is that of new names.
  var endings: [String] {
    switch self {
    case .gzippedTar: [".tar.gz", ".tgz"]
    case .zstandardTar: [".tar.zst", ".tzst"]
    case .zip: [".zip"]
    }
  }

  /// Whether two names of one file can be stored as such.
  var storesHardLinks: Bool { self != .zip }

  /// Nil when no format has this ending.
  init?(endingOf path: BytePath) {
    let found = Self.allCases.first { format in format.endings.contains { path.hasSuffix($0) } }
    guard let found else { return nil }
    self = found
  }

  static var allEndings: String { allCases.flatMap(\.endings).joined(separator: ", ") }
}

import Foundation

/// Databases that are checked in beside the tests.
enum Fixtures {
  static func copy(_ name: String, to path: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    try FileManager.default.copyItem(
      at: folder.appending(path: "Fixtures/\(name)"), to: URL(filePath: path))
  }
}

/// Why a file that people write could not be read: the file, the line or key, and the correct form.
package struct ManifestError: Error, Hashable, Sendable {
  package var file: String
  /// From 1; nil for the whole file.
  package var line: Int?
  /// The error, without the place.
  package var problem: String

  package init(file: String, line: Int?, problem: String) {
    self.file = file
    self.line = line
    self.problem = problem
  }

  /// One sentence with file and line.
  package var message: String {
    line.map { "\(file):\($0): \(problem)" } ?? "\(file): \(problem)"
  }
}

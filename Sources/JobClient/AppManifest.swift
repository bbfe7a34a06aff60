import JobCore

/// The background tasks of an app, from its `Info.plist`; made by code that can read such files.
package struct AppManifest: Hashable, Sendable {
  /// Path of the file.
  package var file: String
  /// `CFBundleIdentifier` as written; nil = missing.
  package var identifier: String?
  /// `CFBundleDisplayName` or `CFBundleName`.
  package var name: String?
  /// `BGTaskSchedulerPermittedIdentifiers` as written.
  package var permitted: [String] = []
  /// `UIBackgroundModes`.
  package var modes: Set<String> = []

  package init(file: String) {
    self.file = file
  }

  /// Placeholders that Xcode replaces by the bundle's identifier when it builds an app.
  private static let placeholders = [
    "$(PRODUCT_BUNDLE_IDENTIFIER)", "${PRODUCT_BUNDLE_IDENTIFIER}",
  ]

  /// The permitted identifiers and patterns of a bundle with this identifier; malformed ones are left
  /// out, as they permit nothing.
  func patterns(of bundle: JobIdentifier) -> [IdentifierPattern] {
    permitted.compactMap { text in
      let placeholder = Self.placeholders.first(where: text.hasPrefix)
      let whole = placeholder.map { bundle.text + text.dropFirst($0.count) } ?? text
      return IdentifierPattern(whole)
    }
  }

  /// The bundle's identifier.
  ///
  /// - Throws: the sentence about the problem.
  func checkedIdentifier() throws(ManifestFieldError) -> JobIdentifier {
    let right = "write the identifier itself, such as org.example.notes"
    guard let identifier else {
      throw ManifestFieldError(sentence: "\(file) has no CFBundleIdentifier; \(right)")
    }
    if Self.placeholders.contains(identifier) {
      throw ManifestFieldError(
        sentence: "the CFBundleIdentifier in \(file) is \(identifier), which only Xcode fills in;"
          + " \(right)")
    }
    guard let checked = JobIdentifier(identifier) else {
      let problem = JobIdentifier.problem(in: identifier) ?? "it is malformed"
      throw ManifestFieldError(sentence: "the CFBundleIdentifier in \(file) is wrong: \(problem)")
    }
    return checked
  }
}

/// A problem of an `Info.plist`, in one sentence.
struct ManifestFieldError: Error, Hashable, Sendable {
  var sentence: String
}

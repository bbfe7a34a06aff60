import JobCore
package import JobWire

/// The background tasks of an app, from its `Info.plist`.
package struct AppManifest: Hashable, Sendable {
  /// Path of the file.
  package let file: String
  /// `CFBundleIdentifier` as written; nil = missing.
  private let identifier: String?
  /// `CFBundleDisplayName` or `CFBundleName`.
  private let name: String?
  /// `BGTaskSchedulerPermittedIdentifiers` as written.
  private let permitted: [String]
  /// `UIBackgroundModes`.
  package let modes: Set<String>
  /// `CFBundleExecutable` as written; nil = missing.
  private let executable: String?

  /// The name of the file, in the folder of the app's executable.
  package static let fileName = "Info.plist"
  /// The background mode of pushes.
  package static let pushMode = "remote-notification"

  /// Placeholders that Xcode replaces by the bundle's identifier when it builds an app.
  private static let placeholders = [
    "$(PRODUCT_BUNDLE_IDENTIFIER)", "${PRODUCT_BUNDLE_IDENTIFIER}",
  ]

  /// Reads it, in XML or binary form.
  ///
  /// `file`: its path, for the sentence about a mistake.
  package init(_ bytes: [UInt8], file: String) throws(ManifestError) {
    let fields = try AppFields(bytes, file: file)
    self.file = file
    identifier = try fields.text("CFBundleIdentifier")
    let displayName = try fields.text("CFBundleDisplayName")
    let plainName = try fields.text("CFBundleName")
    name = displayName ?? plainName
    permitted = try fields.texts("BGTaskSchedulerPermittedIdentifiers")
    modes = Set(try fields.texts("UIBackgroundModes"))
    executable = try fields.text("CFBundleExecutable")
  }

  /// The permitted identifiers and patterns of a bundle with this identifier; malformed ones are left
  /// out, as they permit nothing.
  func patterns(of bundle: JobIdentifier) -> [IdentifierPattern] {
    permitted.compactMap { text in
      let placeholder = Self.placeholders.first { text.hasPrefix($0) }
      let whole = placeholder.map { bundle.text + text.dropFirst($0.utf8.count) } ?? text
      return IdentifierPattern(whole)
    }
  }

  /// The bundle of an app that has no `bundle.json`.
  ///
  /// - Throws: the problem of its identifier.
  func bundle() throws(ManifestError) -> BundleManifest {
    let right = "write the identifier itself, such as org.example.notes"
    guard let identifier else { throw problem("has no CFBundleIdentifier; \(right)") }
    if Self.placeholders.contains(identifier) {
      throw problem(
        "the CFBundleIdentifier is \(identifier), which only Xcode fills in; \(right)")
    }
    guard let checked = JobIdentifier(identifier) else {
      let reason = JobIdentifier.problem(in: identifier) ?? "it is malformed"
      throw problem("the CFBundleIdentifier is wrong: \(reason)")
    }
    return BundleManifest(
      identifier: checked, name: name ?? checked.lastLabel,
      capabilities: BundleManifest.defaultCapabilities)
  }

  /// What a push starts: the app itself, if its background modes say so.
  ///
  /// - Throws: the problem, when the modes do, and the executable is unknown.
  func pushDefinition(
    of bundle: BundleManifest, in folder: String
  ) throws(ManifestError) -> Definition? {
    guard modes.contains(Self.pushMode) else { return nil }
    guard let executable, !executable.isEmpty, !executable.hasPrefix("$"),
      !executable.contains("/")
    else {
      throw problem(
        "UIBackgroundModes contains \"\(Self.pushMode)\", and CFBundleExecutable must be the name of"
          + " the executable beside the file; write the name itself")
    }
    guard let pattern = IdentifierPattern("\(bundle.identifier).\(Self.pushMode)") else {
      throw problem("the CFBundleIdentifier is too long")
    }
    var manifest = JobManifest(pattern: pattern, command: ["./\(executable)"])
    let isShown = (try? SubmitRequest.checkShown(bundle.name, name: "name")) != nil
    manifest.title = isShown && !bundle.name.isEmpty ? bundle.name : bundle.identifier.lastLabel
    manifest.subtitle = "push"
    manifest.options.kind = .push
    manifest.options.priority = .low
    manifest.options.silentAfter = nil
    var definition = Definition(
      name: Self.pushMode, folder: folder, bundle: bundle, manifest: manifest)
    definition.isApp = true
    return definition
  }

  private func problem(_ problem: String) -> ManifestError {
    ManifestError(file: file, line: nil, problem: problem)
  }
}

/// The keys of an `Info.plist`.
private struct AppFields {
  private let file: String
  private let values: [String: PropertyList]

  init(_ bytes: [UInt8], file: String) throws(ManifestError) {
    self.file = file
    let content: PropertyList
    do throws(PropertyList.Problem) {
      content = try PropertyList(bytes)
    } catch {
      throw ManifestError(
        file: file, line: error.line, problem: "is not a property list: \(error.sentence)")
    }
    guard case .table(let values) = content else {
      throw ManifestError(
        file: file, line: nil, problem: "is not a dictionary; an Info.plist begins with <dict>")
    }
    self.values = values
  }

  func text(_ key: String) throws(ManifestError) -> String? {
    guard let value = values[key] else { return nil }
    guard let text = value.text else { throw problem("\(key) must be a string") }
    return text
  }

  func texts(_ key: String) throws(ManifestError) -> [String] {
    guard let value = values[key] else { return [] }
    guard let texts = value.texts else { throw problem("\(key) must be an array of strings") }
    return texts
  }

  func problem(_ problem: String) -> ManifestError {
    ManifestError(file: file, line: nil, problem: problem)
  }
}

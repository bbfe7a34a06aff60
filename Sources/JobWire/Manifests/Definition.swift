package import JobCore

/// One registered kind of job, with where it was found.
package struct Definition: Hashable, Sendable {
  /// The name of its folder: the argument of `jobrun submit NAME`.
  package var name: String
  /// The folder that holds its `job.json`.
  package var folder: String
  package var bundle: BundleManifest
  package var manifest: JobManifest
  /// Whether it is an app with an `Info.plist`.
  package var isApp = false

  package init(name: String, folder: String, bundle: BundleManifest, manifest: JobManifest) {
    self.name = name
    self.folder = folder
    self.bundle = bundle
    self.manifest = manifest
  }

  /// Its `job.json`, or the `Info.plist` of an app that a push starts.
  package var file: String { "\(folder)/\(isApp ? "Info.plist" : "job.json")" }

  /// The last label of its registered identifier; the other name a person may type.
  package var label: String { manifest.pattern.prefix.lastLabel }

  /// Throws `notPermitted` when `requirements` use a capability that the bundle does not declare.
  package func checkCapabilities(for requirements: Requirements) throws(WireError) {
    let used = Capability.used(by: requirements)
    guard let lacking = used.first(where: { !bundle.capabilities.contains($0) }) else { return }
    throw WireError(
      .notPermitted,
      "\(name) needs \(lacking.rawValue), and its bundle \(bundle.identifier) does not declare that"
        + " capability; add \"capabilities\": [\"\(lacking.rawValue)\"] to its bundle.json")
  }

  /// A submission of this definition with its own settings, before a person's options.
  package func submitRequest(key: String, identifier: JobIdentifier) -> SubmitRequest {
    var request = SubmitRequest(
      key: key, identifier: identifier.text, title: manifest.title ?? name, speaksPage: true)
    request.definition = name
    request.subtitle = manifest.subtitle
    request.options = manifest.options
    request.details.logLimit = manifest.logLimit
    request.details.before = manifest.before
    request.details.wrap = manifest.wrap
    (request.details.send, request.details.fetch) = (manifest.send, manifest.fetch)
    request.filesMayStay = request.details.movesFiles
    request.bundle = bundle.identifier.text
    return request
  }
}

/// A bundle folder with its parsed content.
package struct Bundle: Hashable, Sendable {
  /// The folder that holds its `bundle.json`.
  package var folder: String
  package var manifest: BundleManifest
  package var definitions: [Definition]

  package init(folder: String, manifest: BundleManifest, definitions: [Definition]) {
    self.folder = folder
    self.manifest = manifest
    self.definitions = definitions
  }
}

import JobCore
package import JobWire
import LinuxSystem

extension BundleSearch {
  /// What a person's word means: only the manifests on the way to it are read, and everything when
  /// it means nothing, so that the sentence can name what there is.
  package func resolve(_ text: String, suffix: String) throws(WireError) -> DefinitionSet.Resolution
  {
    try checkFlag()
    if let found = definition(inFolder: text) {
      let bundle = Bundle(folder: found.folder, manifest: found.bundle, definitions: [found])
      return try DefinitionSet(bundles: [bundle]).resolve(text, suffix: suffix)
    }
    let findings = readAll()
    do throws(WireError) {
      return try DefinitionSet(bundles: findings.bundles).resolve(text, suffix: suffix)
    } catch {
      guard let problem = findings.problems.first else { throw error }
      throw WireError(error.code, "\(error.message) (and \(problem))")
    }
  }

  /// Every definition of every bundle; what cannot be read becomes a sentence.
  package func readAll() -> Findings {
    var findings = Findings()
    for place in places where File.exists(place.folder + "/bundle.json") || place.isNamed {
      do throws(ManifestError) {
        findings.bundles.append(try Self.bundle(in: place.folder, problems: &findings.problems))
      } catch {
        findings.problems.append(error.message)
      }
    }
    return findings
  }

  /// A bundle with all its definitions, by name; broken ones become sentences.
  package static func bundle(
    in folder: String, problems: inout [String]
  ) throws(ManifestError) -> Bundle {
    let manifest = try bundleManifest(in: folder)
    var definitions: [Definition] = []
    for name in ((try? File.names(in: folder)) ?? []).sorted()
    where File.exists("\(folder)/\(name)/job.json") {
      do throws(ManifestError) {
        definitions.append(try definition(name, in: folder, of: manifest))
      } catch {
        problems.append(error.message)
      }
    }
    return Bundle(folder: folder, manifest: manifest, definitions: definitions)
  }

  /// The definition in the folder of that name, in the first bundle that has one; nil when it has
  /// none, or when it cannot be read without knowing more.
  private func definition(inFolder name: String) -> Definition? {
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.contains(".") else {
      return nil
    }
    for place in places where File.exists("\(place.folder)/\(name)/job.json") {
      guard let bundle = try? Self.bundleManifest(in: place.folder) else { continue }
      return try? Self.definition(name, in: place.folder, of: bundle)
    }
    return nil
  }

  private static func bundleManifest(in folder: String) throws(ManifestError) -> BundleManifest {
    let file = folder + "/bundle.json"
    return try BundleManifest.parse(try content(file), file: file)
  }

  private static func definition(
    _ name: String, in folder: String, of bundle: BundleManifest
  ) throws(ManifestError) -> Definition {
    let file = "\(folder)/\(name)/job.json"
    let manifest = try JobManifest.parse(try content(file), file: file, bundle: bundle)
    return Definition(
      name: name, folder: "\(folder)/\(name)", bundle: bundle, manifest: manifest)
  }

  private static func content(_ file: String) throws(ManifestError) -> [UInt8] {
    do throws(SystemError) {
      return try File.readAll(file, limit: Limits.manifestBytes)
    } catch {
      throw ManifestError(file: file, line: nil, problem: "cannot be read: \(error.reason)")
    }
  }

  /// A folder that was named on the command line must hold a bundle.
  private func checkFlag() throws(WireError) {
    guard let place = places.first, place.origin == .flag else { return }
    guard !File.exists(place.folder + "/bundle.json") else { return }
    throw WireError(
      .notFound,
      "--jobs \(SafeText.shown(place.folder)) holds no bundle.json; name a bundle's folder")
  }
}

extension BundleSearch.Place {
  /// A person named this folder, so its absence is a problem and not just no bundle.
  var isNamed: Bool {
    switch origin {
    case .flag, .environment, .registered, .configuration: true
    case .nearest, .installation: false
    }
  }
}

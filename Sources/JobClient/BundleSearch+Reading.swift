import JobCore
package import JobWire
import LinuxSystem

extension BundleSearch {
  /// Resolves a name that a person typed: reads only the manifests on the way to it, or all of them when
  /// there is no match, so that the error can list the choices.
  ///
  /// `passedOver` gets a sentence for each bundle or definition on the way that another user may have
  /// written.
  package func resolve(
    _ text: String, suffix: String, passedOver: inout [String]
  ) throws(WireError) -> DefinitionSet.Resolution {
    try checkFlag()
    passedOver += [nearestPassedOver].compactMap { $0 }
    if let found = definition(inFolder: text, passedOver: &passedOver) {
      let bundle = Bundle(folder: found.folder, manifest: found.bundle, definitions: [found])
      return try DefinitionSet(bundles: [bundle]).resolve(text, suffix: suffix)
    }
    let findings = readAll()
    passedOver = findings.passedOver
    do throws(WireError) {
      return try DefinitionSet(bundles: findings.bundles).resolve(text, suffix: suffix)
    } catch {
      let early = nearestPassedOver == nil ? nearestEnd : nil
      guard let problem = findings.problems.first ?? early else { throw error }
      throw WireError(error.code, "\(error.message) (and \(problem))")
    }
  }

  /// The same for callers that do not report what was skipped.
  package func resolve(
    _ text: String, suffix: String
  ) throws(WireError) -> DefinitionSet.Resolution {
    var passedOver: [String] = []
    return try resolve(text, suffix: suffix, passedOver: &passedOver)
  }

  /// All definitions of all bundles; a failure to read becomes a sentence.
  package func readAll() -> Findings {
    var findings = Findings()
    findings.passedOver += [nearestPassedOver].compactMap { $0 }
    for root in roots where Self.isBundle(root.folder) || root.isNamed {
      var problems: [BundleError] = []
      do throws(BundleError) {
        findings.bundles.append(
          try Self.bundle(in: root.folder, trust: root.trust, problems: &problems))
      } catch {
        problems.append(error)
      }
      for problem in problems { findings.add(problem, in: root.folder) }
    }
    return findings
  }

  /// Whether it has a `bundle.json` or an `Info.plist`.
  package static func isBundle(_ folder: String) -> Bool {
    File.exists("\(folder)/bundle.json") || hasApp(folder)
  }

  private static func hasApp(_ folder: String) -> Bool {
    File.exists("\(folder)/\(AppManifest.fileName)")
  }

  /// A bundle with all its definitions, by name; broken ones become problems.
  ///
  /// An app with an `Info.plist` is one that pushes may start.
  package static func bundle(
    in folder: String, trust: Trust, problems: inout [BundleError]
  ) throws(BundleError) -> Bundle {
    let isApp = !File.exists("\(folder)/bundle.json") && hasApp(folder)
    if isApp {
      let manifest = try manifest(of: app(in: folder, trust))
      let definitions = pushDefinitions(of: manifest, in: folder, trust, problems: &problems)
      return Bundle(folder: folder, manifest: manifest, definitions: definitions)
    }
    let manifest = try bundleManifest(in: folder, trust)
    var definitions: [Definition] = []
    for name in ((try? File.names(in: folder)) ?? []).sorted()
    where File.exists("\(folder)/\(name)/job.json") {
      do throws(BundleError) {
        definitions.append(try definition(name, in: folder, of: manifest, trust))
      } catch {
        problems.append(error)
      }
    }
    if hasApp(folder), !definitions.contains(where: { $0.manifest.options.kind == .push }) {
      definitions += pushDefinitions(of: manifest, in: folder, trust, problems: &problems)
    }
    return Bundle(folder: folder, manifest: manifest, definitions: definitions)
  }

  /// What pushes start of the app in a folder.
  private static func pushDefinitions(
    of manifest: BundleManifest, in folder: String, _ trust: Trust, problems: inout [BundleError]
  ) -> [Definition] {
    do throws(BundleError) {
      let app = try app(in: folder, trust)
      do throws(ManifestError) {
        return try app.pushDefinition(of: manifest, in: folder).map { [$0] } ?? []
      } catch {
        throw .manifest(error)
      }
    } catch {
      problems.append(error)
      return []
    }
  }

  /// The bundle of an app without a `bundle.json`.
  static func manifest(of app: AppManifest) throws(BundleError) -> BundleManifest {
    do throws(ManifestError) {
      return try app.bundle()
    } catch {
      throw .manifest(error)
    }
  }

  /// The `Info.plist` in a folder.
  static func app(in folder: String, _ trust: Trust) throws(BundleError) -> AppManifest {
    let file = "\(folder)/\(AppManifest.fileName)"
    let bytes = try content(file, trust)
    do throws(ManifestError) {
      return try AppManifest(bytes, file: file)
    } catch {
      throw .manifest(error)
    }
  }

  /// The definition in the folder of that name, in the first bundle that has one; nil when there is none,
  /// or when it cannot be read on its own.
  private func definition(inFolder name: String, passedOver: inout [String]) -> Definition? {
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.contains(".") else {
      return nil
    }
    for root in roots where File.exists("\(root.folder)/\(name)/job.json") {
      do throws(BundleError) {
        let bundle = try Self.bundleManifest(in: root.folder, root.trust)
        return try Self.definition(name, in: root.folder, of: bundle, root.trust)
      } catch {
        guard case .untrusted(let problem) = error else { return nil }
        passedOver.append(Self.passedOver("\(root.folder)/\(name)", problem))
      }
    }
    return nil
  }

  private static func bundleManifest(
    in folder: String, _ trust: Trust
  ) throws(BundleError) -> BundleManifest {
    let file = folder + "/bundle.json"
    let bytes = try content(file, trust)
    do throws(ManifestError) {
      return try BundleManifest.parse(bytes, file: file)
    } catch {
      throw .manifest(error)
    }
  }

  private static func definition(
    _ name: String, in folder: String, of bundle: BundleManifest, _ trust: Trust
  ) throws(BundleError) -> Definition {
    let file = "\(folder)/\(name)/job.json"
    let bytes = try content(file, trust)
    do throws(ManifestError) {
      let manifest = try JobManifest.parse(bytes, file: file, bundle: bundle)
      return Definition(
        name: name, folder: "\(folder)/\(name)", bundle: bundle, manifest: manifest)
    } catch {
      throw .manifest(error)
    }
  }

  /// The content of a file, which is opened before the check and read after it.
  static func content(_ file: String, _ trust: Trust) throws(BundleError) -> [UInt8] {
    let descriptor = try open(file, trust)
    do throws(SystemError) {
      if try descriptor.status().kind == .file {
        return try descriptor.readToEnd(limit: Limits.manifestBytes)
      }
    } catch {
      throw unreadable(file, error)
    }
    throw .manifest(ManifestError(file: file, line: nil, problem: "is not a file"))
  }

  private static func open(_ file: String, _ trust: Trust) throws(BundleError) -> FileDescriptor {
    switch trust {
    case .checked(let owner):
      do throws(TrustedPath.Problem) {
        try TrustedPath.check(folderOf: file, trusting: owner)
        return try TrustedPath.open(file, trusting: owner)
      } catch {
        throw .untrusted(error)
      }
    case .given:
      do throws(SystemError) {
        return try File.open(file, [.read, .nonblocking])
      } catch {
        throw unreadable(file, error)
      }
    }
  }

  private static func unreadable(_ file: String, _ error: SystemError) -> BundleError {
    .manifest(ManifestError(file: file, line: nil, problem: "cannot be read: \(error.reason)"))
  }

  /// A folder that was named on the command line must hold a bundle.
  private func checkFlag() throws(WireError) {
    guard let root = roots.first, root.origin == .flag else { return }
    guard File.exists(root.folder + "/bundle.json") else {
      throw WireError(
        .notFound,
        "--jobs \(SafeText.shown(root.folder)) holds no bundle.json; name a bundle's folder")
    }
    do throws(TrustedPath.Problem) {
      try TrustedPath.check(root.folder, as: .directory)
    } catch {
      throw WireError(
        .notPermitted,
        "--jobs \(SafeText.shown(root.folder)) is not used: \(BundleError.untrusted(error).message)"
      )
    }
  }
}

extension BundleSearch.Findings {
  fileprivate mutating func add(_ problem: BundleError, in folder: String) {
    switch problem {
    case .manifest(let error): problems.append(error.message)
    case .untrusted(let problem): passedOver.append(BundleSearch.passedOver(folder, problem))
    }
  }
}

extension BundleSearch.SearchRoot {
  /// A user who can change the files of the installation can change the program, too.
  var trust: BundleSearch.Trust { origin == .installation ? .given : .checked }

  /// A person named this folder, so its absence is a problem and not just an empty search result.
  var isNamed: Bool {
    switch origin {
    case .flag, .environment, .registered, .configuration: true
    case .nearest, .installation: false
    }
  }
}

package import JobCore
package import JobWire
import LinuxSystem

/// The bundle of a process that runs its jobs itself: the `bundle.json` or the `Info.plist` beside its
/// executable, or the one that `JOBRUN_BUNDLE` names (a file, or the folder of both).
package struct HostBundle: Hashable, Sendable {
  package let folder: String
  package let manifest: BundleManifest
  /// The definitions in its folder, by name; broken ones are left out.
  package let definitions: [Definition]
  /// The problems of the broken ones, one sentence each.
  package let problems: [String]
  /// The content of the app's own file; nil = there is none.
  package let app: AppManifest?
  /// The identifiers that the app's file permits in addition to those below the bundle's identifier.
  private let listed: [IdentifierPattern]

  private static let jsonName = "bundle.json"
  private static let plistName = AppManifest.fileName

  /// Finds and reads it.
  ///
  /// - Throws: `notPermitted` with the searched places or the problem.
  package init(environment: Environment, executable: String) throws(WireError) {
    let location = try Self.location(environment, executable)
    folder = location.folder
    var problems: [BundleError] = []
    do throws(BundleError) {
      app =
        File.exists("\(folder)/\(Self.plistName)")
        ? try BundleSearch.app(in: folder, location.trust) : nil
      if let app, !File.exists("\(folder)/\(Self.jsonName)") {
        (manifest, definitions) = (try BundleSearch.manifest(of: app), [])
      } else {
        let bundle = try BundleSearch.bundle(
          in: folder, trust: location.trust, problems: &problems)
        (manifest, definitions) = (bundle.manifest, bundle.definitions)
      }
    } catch {
      throw WireError(.notPermitted, error.message)
    }
    self.problems = problems.map { $0.message }
    listed = app?.patterns(of: manifest.identifier) ?? []
  }

  /// Its path, and who may have written it: beside the program that includes the program's owner, who could
  /// have written anything into the program, but no other user with write permission for the folder.
  private static func location(
    _ environment: Environment, _ executable: String
  ) throws(WireError) -> (folder: String, trust: BundleSearch.Trust) {
    if let named = environment["JOBRUN_BUNDLE"], !named.isEmpty {
      let path = absolute(named)
      let isFile = path.hasSuffix("/" + jsonName) || path.hasSuffix("/" + plistName)
      let folder = isFile ? File.parent(of: path) : path
      if BundleSearch.isBundle(folder) { return (folder, .checked) }
      throw WireError(
        .notPermitted,
        "JOBRUN_BUNDLE is \(named.quoted), and there is no bundle.json and no Info.plist; name one of"
          + " those files or the folder that holds it")
    }
    let beside = File.parent(of: executable)
    if BundleSearch.isBundle(beside) {
      return (beside, .checked(owner: (try? File.status(executable))??.owner))
    }
    throw WireError(
      .notPermitted,
      "this program belongs to no bundle: there is neither \(beside)/bundle.json nor"
        + " \(beside)/Info.plist, and JOBRUN_BUNDLE is not set; write one such as"
        + " {\"identifier\": \"org.example.notes\"} beside the executable")
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = try? CurrentProcess.directory() else { return path }
    return String(decoding: directory, as: UTF8.self) + "/" + path
  }
}

// The permitted identifiers.
extension HostBundle {
  /// The identifier, if it is well formed and this bundle permits it.
  ///
  /// - Throws: `notPermitted`, naming both places that could permit it.
  package func checked(_ text: String) throws(WireError) -> JobIdentifier {
    guard let identifier = JobIdentifier(text) else {
      throw WireError(
        .notPermitted, JobIdentifier.problem(in: text) ?? "\(text.quoted) is not an identifier")
    }
    guard owns(identifier) else { throw outside(identifier.text) }
    return identifier
  }

  /// - Throws: `notPermitted`, when this bundle permits no identifier that the pattern matches.
  package func check(_ pattern: IdentifierPattern) throws(WireError) {
    let own = IdentifierPattern("\(manifest.identifier).*").map { [$0] } ?? []
    guard (own + listed).contains(where: pattern.overlaps) else { throw outside(pattern.text) }
  }

  private func outside(_ text: String) -> WireError {
    let list = app?.file ?? "\(folder)/Info.plist, which is not there"
    return WireError(
      .notPermitted,
      "\(text) is outside the bundle \(manifest.identifier) of this program (\(folder)), and not"
        + " among the BGTaskSchedulerPermittedIdentifiers of \(list); begin it with"
        + " \(manifest.identifier). or add it there")
  }

  package func owns(_ identifier: JobIdentifier) -> Bool {
    identifier.isUnder(manifest.identifier) || listed.contains { $0.matches(identifier) }
  }

  package func owns(_ job: JobStatus) -> Bool {
    JobIdentifier(job.identifier).map { owns($0) } ?? false
  }

  /// Whether only the app's list permits it.
  package func lists(_ identifier: JobIdentifier) -> Bool {
    !identifier.isUnder(manifest.identifier) && owns(identifier)
  }

  /// The most specific definition that this identifier matches.
  package func definition(for identifier: JobIdentifier) -> Definition? {
    let patterns = definitions.map { $0.manifest.pattern }
    guard let best = IdentifierPattern.best(for: identifier, among: patterns) else { return nil }
    return definitions.first { $0.manifest.pattern == best }
  }
}

package import JobCore
package import JobWire
import LinuxSystem

/// The bundle that a process belongs to which runs its jobs itself: the `bundle.json` beside its
/// executable, or what `JOBRUN_BUNDLE` names (the file, or the folder that holds it).
package struct HostBundle: Hashable, Sendable {
  package let folder: String
  package let manifest: BundleManifest
  /// The definitions in its folder, by name; broken ones are left out.
  package let definitions: [Definition]
  /// What is wrong with those, one sentence each.
  package let problems: [String]

  /// Looks for it and reads it.
  ///
  /// - Throws: `notPermitted`, saying where it was looked for or what is wrong with it.
  package init(environment: Environment, executable: String) throws(WireError) {
    let folder = try Self.folder(environment, File.parent(of: executable))
    var problems: [String] = []
    do throws(ManifestError) {
      let bundle = try BundleSearch.bundle(in: folder, problems: &problems)
      self.folder = folder
      manifest = bundle.manifest
      definitions = bundle.definitions
      self.problems = problems
    } catch {
      throw WireError(.notPermitted, error.message)
    }
  }

  private static func folder(
    _ environment: Environment, _ beside: String
  ) throws(WireError) -> String {
    if let named = environment["JOBRUN_BUNDLE"], !named.isEmpty {
      let folder = named.hasSuffix("/bundle.json") ? File.parent(of: named) : named
      guard File.exists(folder + "/bundle.json") else {
        throw WireError(
          .notPermitted,
          "JOBRUN_BUNDLE is \(named.quoted), and there is no bundle.json; name that file or the folder"
            + " that holds it")
      }
      return folder
    }
    guard File.exists(beside + "/bundle.json") else {
      throw WireError(
        .notPermitted,
        "this program belongs to no bundle: there is no \(beside)/bundle.json, and JOBRUN_BUNDLE is not"
          + " set; write one such as {\"identifier\": \"org.example.notes\"} beside the executable")
    }
    return beside
  }

  /// The identifier, if it is well formed and under this bundle's own.
  ///
  /// - Throws: `notPermitted`.
  package func checked(_ text: String) throws(WireError) -> JobIdentifier {
    guard let identifier = JobIdentifier(text) else {
      throw WireError(
        .notPermitted, JobIdentifier.problem(in: text) ?? "\(text.quoted) is no identifier")
    }
    guard owns(identifier) else {
      throw WireError(
        .notPermitted,
        "\(identifier) is outside the bundle \(manifest.identifier) of this program;"
          + " it must begin with that and a dot")
    }
    return identifier
  }

  package func owns(_ identifier: JobIdentifier) -> Bool {
    identifier.isUnder(manifest.identifier)
  }

  /// The most specific definition that this identifier matches.
  package func definition(for identifier: JobIdentifier) -> Definition? {
    let patterns = definitions.map(\.manifest.pattern)
    guard let best = IdentifierPattern.best(for: identifier, among: patterns) else { return nil }
    return definitions.first { $0.manifest.pattern == best }
  }
}

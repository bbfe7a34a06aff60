package import JobCore
import JobPage
package import JobWire
import LinuxSystem

/// A push, which starts the program of one definition with data.
package struct Push {
  package let definition: Definition
  private let data: [UInt8]

  /// `data`: JSON, already checked.
  package init(_ definition: Definition, data: [UInt8]) {
    self.definition = definition
    self.data = data
  }

  /// The definitions of a bundle that pushes start.
  ///
  /// - Throws: `notFound` when the bundle is unknown or has no such definition.
  package static func definitions(
    of bundle: JobIdentifier, among bundles: [Bundle]
  ) throws(WireError) -> [Definition] {
    let known = bundles.map { $0.manifest.identifier.text }
    guard let found = bundles.first(where: { $0.manifest.identifier == bundle }) else {
      throw WireError(
        .notFound,
        "there is no bundle \(bundle)\(NearestName.hint(for: bundle.text, among: known));"
          + " jobrun register DIR adds one")
    }
    let definitions = found.definitions.filter { $0.manifest.options.kind == .push }
    guard !definitions.isEmpty else {
      throw WireError(
        .notFound,
        "the bundle \(bundle) has no job that pushes wake; one has \"kind\": \"push\" in its job.json,"
          + " or \"remote-notification\" in the UIBackgroundModes of its Info.plist"
      )
    }
    return definitions
  }

  /// Sends it to the runner, which answers at once; `kept` when it has joined a waiting one.
  package func send(
    on link: RunnerLink, installation: Installation, environment: Environment
  ) throws(WireError) -> (job: JobStatus, kept: Bool) {
    let request = definition.submitRequest(key: FreshName.key(), identifier: identifier)
    try definition.checkCapabilities(for: request.options.requirements)
    let program = try CommandSearch.executable(
      of: definition, installation: installation, environment: environment)
    let words = [program] + definition.manifest.command.dropFirst()
    return try link.push(
      request,
      LaunchSpecification(
        directory: Array(definition.folder.utf8), arguments: words.map { Array($0.utf8) },
        environment: variables))
  }

  /// All pushes of a definition share one name, so that waiting ones are merged.
  private var identifier: JobIdentifier {
    let pattern = definition.manifest.pattern
    guard pattern.isWildcard else { return pattern.prefix }
    return JobIdentifier("\(pattern.prefix).push") ?? pattern.prefix
  }

  private var variables: [[UInt8]] {
    let name = Array("\(PushContent.variable)=".utf8)
    var entries = CurrentProcess.environment().filter { !$0.starts(with: name) }
    entries.append(name + data)
    // An app must find its Info.plist through a link, too, and an executable built below its sources does not lie
    // beside its bundle.
    if definition.isApp {
      entries.append(Array("JOBRUN_BUNDLE=\(definition.folder)".utf8))
    } else if !definition.manifest.build.isEmpty {
      entries.append(Array("JOBRUN_BUNDLE=\(File.parent(of: definition.folder))".utf8))
    }
    return entries
  }
}

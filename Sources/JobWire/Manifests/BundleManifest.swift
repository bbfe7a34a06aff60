package import JobCore

/// Resources of a bundle's jobs that need permission; processor, memory, disk and power do not.
package enum Capability: String, Hashable, Sendable, CaseIterable {
  case gpu, network

  /// The capabilities that a job with these requirements uses.
  package static func used(by requirements: Requirements) -> [Capability] {
    (requirements.gpuCount > 0 ? [.gpu] : []) + (requirements.network ? [.network] : [])
  }
}

/// `bundle.json`: the owner of the jobs in a folder.
package struct BundleManifest: Hashable, Sendable {
  /// The first labels of all its jobs' identifiers.
  package var identifier: JobIdentifier
  /// The displayed name; the identifier's last label by default.
  package var name: String
  package var capabilities: Set<Capability>

  /// The default capabilities, which also need no entitlement at Apple.
  package static let defaultCapabilities: Set<Capability> = [.network]

  package init(identifier: JobIdentifier, name: String, capabilities: Set<Capability>) {
    self.identifier = identifier
    self.name = name
    self.capabilities = capabilities
  }

  /// Reads the file's bytes; comments are allowed.
  ///
  /// `file`: its path, for the sentence about a mistake.
  package static func parse(_ bytes: [UInt8], file: String) throws(ManifestError) -> BundleManifest
  {
    let fields = try ManifestFields(
      bytes, file: file, known: ["identifier", "name", "capabilities"])
    let text = try fields.requiredText("identifier", example: "\"io.example.notes\"")
    guard let identifier = JobIdentifier(text) else {
      let problem = JobIdentifier.problem(in: text) ?? "it is malformed"
      throw fields.problem("identifier", "is malformed: \(problem)")
    }
    let capabilities = try fields.choices("capabilities", as: Capability.self)
    if let double = capabilities?.firstRepeated {
      throw fields.problem("capabilities", "names \"\(double.rawValue)\" twice; once is enough")
    }
    return BundleManifest(
      identifier: identifier, name: try fields.text("name") ?? identifier.lastLabel,
      capabilities: capabilities.map(Set.init) ?? defaultCapabilities)
  }
}

extension JobIdentifier {
  package var lastLabel: String {
    String(text.split(separator: ".").last ?? "")
  }
}

extension [Capability] {
  fileprivate var firstRepeated: Capability? {
    var seen: Set<Capability> = []
    return first { !seen.insert($0).inserted }
  }
}

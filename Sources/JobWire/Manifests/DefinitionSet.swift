package import JobCore

/// All definitions that a submitter can see, the bundles found first winning.
package struct DefinitionSet: Hashable, Sendable {
  /// The meaning of a typed name: a definition, and the identifier for its job.
  package struct Resolution: Hashable, Sendable {
    package var definition: Definition
    package var identifier: JobIdentifier
  }

  package var bundles: [Bundle]

  package init(bundles: [Bundle]) {
    self.bundles = bundles
  }

  package var definitions: [Definition] { bundles.flatMap { $0.definitions } }

  /// Resolves `text`: an identifier if it has a dot, otherwise a definition's name.
  ///
  /// `suffix`: the label that completes the identifier when only a name was given;
  ///   letters, digits and `-`.
  /// - Throws: `usage` when it is malformed or a pattern, `notPermitted` when it is outside every
  ///   bundle, `notFound` when nothing is registered for it.
  package func resolve(_ text: String, suffix: String) throws(WireError) -> Resolution {
    text.utf8.contains(UInt8(ascii: ".")) || text.hasSuffix("*") || text.isEmpty
      ? try resolve(identifier: text) : try resolve(name: text, suffix: suffix)
  }

  /// The definition with this name; nil when none has it.
  package func definition(named name: String) -> Definition? {
    let all = definitions
    return all.first { $0.name == name } ?? all.first { $0.label == name }
  }

  private func resolve(name: String, suffix: String) throws(WireError) -> Resolution {
    guard let definition = definition(named: name) else { throw unknown(name) }
    let pattern = definition.manifest.pattern
    let text = pattern.isWildcard ? "\(pattern.prefix).\(suffix)" : pattern.prefix.text
    guard let identifier = JobIdentifier(text) else {
      throw WireError(.usage, JobIdentifier.problem(in: text) ?? "\(text.quoted) is malformed")
    }
    return Resolution(definition: definition, identifier: identifier)
  }

  private func resolve(identifier text: String) throws(WireError) -> Resolution {
    guard let identifier = JobIdentifier(text) else {
      throw WireError(.usage, JobIdentifier.problem(in: text) ?? "\(text.quoted) is malformed")
    }
    let candidates = definitions.filter { $0.manifest.pattern.matches(identifier) }
    let patterns = candidates.map { $0.manifest.pattern }
    if let best = IdentifierPattern.best(for: identifier, among: patterns),
      let definition = candidates.first(where: { $0.manifest.pattern == best })
    {
      return Resolution(definition: definition, identifier: identifier)
    }
    throw unmatched(identifier)
  }

  private func unmatched(_ identifier: JobIdentifier) -> WireError {
    let owners = bundles.filter {
      identifier == $0.manifest.identifier || identifier.isUnder($0.manifest.identifier)
    }
    guard !owners.isEmpty else { return foreign(identifier) }
    let own = owners.flatMap { $0.definitions }.map { $0.manifest.pattern.text }
    if let pattern = own.first(where: { $0 == identifier.text + ".*" }) {
      return WireError(
        .notFound,
        "\(pattern) is registered, and \(identifier) lacks its last part;"
          + " write something like \(identifier).trip, or only the job's name")
    }
    let there = own.isEmpty ? "it registers nothing" : "it registers " + listed(own)
    return WireError(
      .notFound,
      "\(identifier) belongs to the bundle \(owners[0].manifest.identifier), but no job is"
        + " registered for it; \(there)")
  }

  private func foreign(_ identifier: JobIdentifier) -> WireError {
    let prefixes = bundles.map { $0.manifest.identifier.text }
    let right =
      prefixes.isEmpty
      ? "no bundle was found: name one with --jobs DIR"
      : "it must begin with " + NearestName.choice(of: prefixes.prefix(8))
    return WireError(.notPermitted, "\(identifier) is outside every bundle; \(right)")
  }

  private func unknown(_ name: String) -> WireError {
    var names: [String] = []
    for definition in definitions where !names.contains(definition.name) {
      names.append(definition.name)
    }
    guard !names.isEmpty else {
      return WireError(
        .notFound, "there is no job \(name.quoted): no bundle was found; name one with --jobs DIR")
    }
    let near = NearestName.suggestions(for: name, among: names)
    let known = names.count > 8 ? listed(names) : NearestName.choice(of: names)
    let hint =
      near.isEmpty
      ? "use \(known); jobrun jobs shows where each is defined"
      : "did you mean \(NearestName.choice(of: near))?"
    return WireError(.notFound, "there is no job \(name.quoted); \(hint)")
  }

  /// At most eight names.
  private func listed(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ")
      + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }
}

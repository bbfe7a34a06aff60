import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun jobs [--json]`.
  func jobs(_ invocation: Invocation) throws(WireError) -> Int32 {
    let search = try surroundings.search(
      flag: invocation.text(.jobs), directory: try surroundings.directory(),
      paths: try surroundings.paths())
    let findings = search.readAll()
    let definitions = findings.bundles.flatMap { $0.definitions }
    if invocation.isSet(.json) {
      for definition in definitions { writeJSON(definition) }
    } else {
      write(definitions, search)
    }
    data.flush()
    for sentence in findings.passedOver { talk.write(line: "jobrun: \(sentence)") }
    for problem in findings.problems {
      complain(WireError(.usage, problem), isJSON: invocation.isSet(.json))
    }
    return findings.problems.isEmpty ? ExitCode.success : ExitCode.usage
  }

  private func write(_ definitions: [Definition], _ search: BundleSearch) {
    let names = definitions.map { SafeText.shown($0.name) }
    let widest = names.map { TextWidth.of($0) }.max() ?? 0
    for (name, definition) in zip(names, definitions) {
      let head = TextWidth.padded(name, to: widest + 2)
      let line = head + SafeText.shown(Self.summary(of: definition))
      data.buffer(line: data.columns.map { TextWidth.start(of: line, fitting: $0) } ?? line)
    }
    data.flush()
    if definitions.isEmpty {
      talk.write(line: "no jobs are defined here. Try: jobrun new NAME")
    } else {
      talk.write(line: "jobrun help NAME explains one of them. Looked in:")
    }
    for root in search.roots {
      let found = BundleSearch.isBundle(root.folder) ? "" : ", no bundle there"
      talk.write(line: "  \(SafeText.shown(root.folder)) (\(root.origin.rawValue)\(found))")
    }
  }

  /// Its purpose, otherwise its name.
  private static func summary(of definition: Definition) -> String {
    let summary = definition.manifest.guide.summary
    return summary.isEmpty ? definition.manifest.title ?? definition.manifest.pattern.text : summary
  }

  func writeJSON(_ definition: Definition) {
    let guide = definition.manifest.guide
    writeJSON { writer in
      writer.field("name", definition.name)
      writer.field("identifier", definition.manifest.pattern.text)
      writer.field("title", definition.manifest.title)
      writer.field("subtitle", definition.manifest.subtitle)
      writer.field("about", guide.about.isEmpty ? nil : guide.about)
      writer.field("usage", guide.form.isEmpty ? nil : guide.form)
      writer.key("arguments")
      writer.beginArray()
      for argument in guide.arguments {
        writer.beginObject()
        writer.field("name", argument.name)
        writer.field("required", argument.isRequired)
        writer.field("about", argument.about.isEmpty ? nil : argument.about)
        writer.endObject()
      }
      writer.endArray()
      writer.field("command", definition.manifest.command)
      writer.field("requires", RequirementText.format(definition.manifest.options.requirements))
      writer.field("bundle", definition.bundle.identifier.text)
      writer.field("folder", definition.folder)
    }
  }

  /// Carries out `jobrun register DIR`.
  func register(_ invocation: Invocation) throws(WireError) -> Int32 {
    let typed = invocation.operands[0].text
    let folder = try WireError.from(.notFound) { () throws(SystemError) in
      try File.resolved(typed)
    }
    guard BundleSearch.isBundle(folder) else {
      throw WireError(
        .notFound,
        "\(folder) holds no bundle.json and no Info.plist; name the folder of a bundle or an app")
    }
    let bundle = try checkedBundle(folder)
    guard !bundle.definitions.isEmpty || File.exists(folder + "/bundle.json") else {
      throw WireError(
        .usage,
        "the UIBackgroundModes of \(folder)/Info.plist do not contain \"\(AppManifest.pushMode)\", so"
          + " that no push would start the app; add it there; nothing was registered")
    }
    let isNew = try Registry(paths: try surroundings.paths()).add(folder)
    try listen(to: bundle)
    let names = bundle.definitions.map { $0.name }.joined(separator: ", ")
    let what = isNew ? "registered" : "registered already"
    if invocation.isSet(.json) {
      for definition in bundle.definitions { writeJSON(definition) }
      data.flush()
    } else {
      talk.write(line: "\(folder) is \(what): \(names.isEmpty ? "no jobs yet" : names)")
    }
    return ExitCode.success
  }

  /// Makes the runner subscribe to the bundle's push addresses; a running listener always checks again.
  private func listen(to bundle: Bundle) throws(WireError) {
    let link = try link()
    let subscribes = bundle.definitions.contains { $0.manifest.subscription != nil }
    if link.connectIfRunning() || subscribes { _ = try link.ask(.reload) }
  }

  /// A bundle without any mistake.
  private func checkedBundle(_ folder: String) throws(WireError) -> Bundle {
    var problems: [BundleError] = []
    let bundle: Bundle
    do throws(BundleError) {
      bundle = try BundleSearch.bundle(in: folder, trust: .checked, problems: &problems)
    } catch {
      throw refusal(error)
    }
    guard let first = problems.first else { return bundle }
    for problem in problems.dropFirst() { talk.write(line: "jobrun: \(problem.message)") }
    throw refusal(first)
  }

  private func refusal(_ problem: BundleError) -> WireError {
    let code: ErrorCode = if case .untrusted = problem { .notPermitted } else { .usage }
    return WireError(code, "\(problem.message); nothing was registered")
  }
}

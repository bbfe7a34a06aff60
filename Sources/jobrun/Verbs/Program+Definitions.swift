import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun jobs [--json]`.
  func jobs(_ invocation: Invocation) throws(WireError) -> Int32 {
    let search = try surroundings.search(
      flag: invocation.text(.jobs), directory: try surroundings.directory(),
      places: try surroundings.places())
    let findings = search.readAll()
    let definitions = findings.bundles.flatMap(\.definitions)
    if invocation.isSet(.json) {
      for definition in definitions { writeJSON(definition) }
    } else {
      write(definitions, search)
    }
    data.flush()
    for problem in findings.problems {
      complain(WireError(.usage, problem), isJSON: invocation.isSet(.json))
    }
    return findings.problems.isEmpty ? ExitCode.success : ExitCode.usage
  }

  private func write(_ definitions: [Definition], _ search: BundleSearch) {
    let rows = definitions.map {
      [$0.name, $0.manifest.pattern.text, SafeText.shown($0.manifest.title ?? "")]
    }
    let widths = (0..<2).map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
    for row in rows {
      let line =
        TextWidth.padded(row[0], to: widths[0] + 2) + TextWidth.padded(row[1], to: widths[1] + 2)
        + row[2]
      data.buffer(line: String(line.reversed().drop { $0 == " " }.reversed()))
    }
    data.flush()
    if rows.isEmpty { talk.write(line: "no definitions were found") }
    talk.write(line: "looked in:")
    for place in search.places {
      let found = File.exists(place.folder + "/bundle.json") ? "" : ", no bundle there"
      talk.write(line: "  \(SafeText.shown(place.folder)) (\(place.origin.rawValue)\(found))")
    }
  }

  private func writeJSON(_ definition: Definition) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("name", definition.name)
    writer.field("identifier", definition.manifest.pattern.text)
    writer.field("title", definition.manifest.title)
    writer.field("subtitle", definition.manifest.subtitle)
    writer.field("command", definition.manifest.command)
    writer.field("requires", RequirementText.format(definition.manifest.requirements))
    writer.field("bundle", definition.bundle.identifier.text)
    writer.field("folder", definition.folder)
    writer.endObject()
    data.buffer(writer.bytes)
    data.buffer(line: "")
  }

  /// Carries out `jobrun register DIR`.
  func register(_ invocation: Invocation) throws(WireError) -> Int32 {
    let typed = invocation.operands[0].text
    let folder = try WireError.from(.notFound) { () throws(SystemError) in
      try File.resolved(typed)
    }
    guard File.exists(folder + "/bundle.json") else {
      throw WireError(
        .notFound, "\(folder) holds no bundle.json; name the folder of a bundle")
    }
    let bundle = try checkedBundle(folder)
    let isNew = try Registry(places: try surroundings.places()).add(folder)
    let names = bundle.definitions.map(\.name).joined(separator: ", ")
    let what = isNew ? "registered" : "registered already"
    if invocation.isSet(.json) {
      for definition in bundle.definitions { writeJSON(definition) }
      data.flush()
    } else {
      talk.write(line: "\(folder) is \(what): \(names.isEmpty ? "no jobs yet" : names)")
    }
    return ExitCode.success
  }

  /// A bundle without any mistake.
  private func checkedBundle(_ folder: String) throws(WireError) -> Bundle {
    var problems: [String] = []
    let bundle: Bundle
    do throws(ManifestError) {
      bundle = try BundleSearch.bundle(in: folder, problems: &problems)
    } catch {
      throw WireError(.usage, error.message)
    }
    guard let first = problems.first else { return bundle }
    for problem in problems.dropFirst() { talk.write(line: "jobrun: \(SafeText.shown(problem))") }
    throw WireError(.usage, "\(first); nothing was registered")
  }
}

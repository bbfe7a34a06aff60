import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun new NAME [--language L] [--package DIR]`.
  func newDefinition(_ invocation: Invocation) throws(WireError) -> Int32 {
    let name = try definitionName(invocation.operands[0].text)
    let language =
      invocation.text(.language).flatMap(JobTemplate.Language.init(rawValue:)) ?? .shell
    let current = String(decoding: try surroundings.directory(), as: UTF8.self)
    let nearest = NearestBundle(from: current, home: surroundings.environment["HOME"])
    let jobs = nearest.folder ?? (current == "/" ? "" : current) + "/jobs"
    let folder = "\(jobs)/\(name)"
    guard !File.exists(folder) else {
      throw WireError(.cannotCreate, "\(folder) already exists; choose another name")
    }
    let package = language == .swift ? try packageRoot(invocation) : ""
    try write(
      JobTemplate.files(name, bundle: try bundle(jobs), language, package: package), to: folder)
    if invocation.isSet(.json) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.field("name", name)
      writer.field("folder", folder)
      writer.endObject()
      data.buffer(json: writer.bytes)
      data.write(line: "")
    } else {
      talk.write(line: "wrote \(folder); run it with jobrun submit \(name)")
    }
    return ExitCode.success
  }

  /// One label of an identifier: the folder's name, and the last part of the job's identifier.
  private func definitionName(_ text: String) throws(WireError) -> String {
    let isLabel = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: "-")
    }
    guard isLabel, !text.isEmpty, !text.hasPrefix("-"), text.utf8.count <= 63 else {
      throw WireError(
        .usage,
        "\(text.quoted) cannot be the name of a definition; use letters, digits and -, at most 63")
    }
    return text
  }

  /// The identifier of the bundle in this folder, which is begun if need be.
  private func bundle(_ jobs: String) throws(WireError) -> String {
    let path = jobs + "/bundle.json"
    if File.exists(path) {
      let bytes = try WireError.from(.cannotCreate) { () throws(SystemError) in
        try File.readAll(path, limit: Limits.manifestBytes)
      }
      do throws(ManifestError) {
        return try BundleManifest.parse(bytes, file: path).identifier.text
      } catch {
        throw WireError(.usage, error.message)
      }
    }
    let identifier = "local.\(userLabel).jobs"
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      try File.makeDirectories(jobs, permissions: 0o755)
      try File.writeAtomically(
        Array(JobTemplate.bundle(identifier).utf8), to: path, permissions: 0o644)
    }
    return identifier
  }

  private var userLabel: String {
    let letters = (surroundings.environment["USER"] ?? "").filter {
      $0.isASCII && ($0.isLetter || $0.isNumber)
    }
    return letters.isEmpty ? "user" : letters
  }

  private func write(_ files: [JobTemplate.File], to folder: String) throws(WireError) {
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      for file in files {
        let path = "\(folder)/\(file.path)"
        try File.makeDirectories(File.parent(of: path), permissions: 0o755)
        try File.writeAtomically(
          Array(file.text.utf8), to: path, permissions: file.isExecutable ? 0o755 : 0o644)
      }
    }
  }

  /// The folder of jobrun's own sources, which a job in Swift is built against.
  private func packageRoot(_ invocation: Invocation) throws(WireError) -> String {
    let installation = try surroundings.installation()
    let named = invocation.text(.package).map { (try? File.resolved($0)) ?? $0 }
    let root = named ?? File.parent(of: installation.jobs)
    guard File.exists(root + "/Sources/BackgroundTasks") else {
      throw WireError(
        .notFound,
        named == nil
          ? "a job in Swift is built against jobrun's sources; say where they are: --package DIR"
          : "\(root) holds no Sources/BackgroundTasks; name the folder of jobrun's sources")
    }
    return root
  }
}

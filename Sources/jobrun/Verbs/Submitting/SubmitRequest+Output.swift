import JobCore
import JobWire
import LinuxSystem

extension SubmitRequest {
  /// Applies `--stdout`, `--stderr` and `--log`; paths are those of the job's folder.
  ///
  /// `names`: the columns that the paths may name.
  mutating func takeOutput(
    _ invocation: Invocation, in directory: [UInt8], naming names: [String] = []
  ) throws(WireError) {
    func path(_ flag: Flag) throws(WireError) -> String? {
      guard let text = invocation.text(flag) else { return nil }
      guard !text.isEmpty else {
        throw WireError(.usage, "\(flag.spelling) is empty; it must be the name of a file")
      }
      try BatchInputs.checkColumns(in: text, names)
      return Self.outputPath(
        BatchInputs.numbered(text, names), in: String(decoding: directory, as: UTF8.self))
    }
    details.stdout = try path(.stdout)
    details.stderr = try path(.stderr)
    if details.stderr != nil, invocation.isSet(.pty) {
      throw WireError(
        .usage,
        "\(Flag.stderr.spelling) and \(Flag.pty.spelling) cannot be used together: a terminal has one output"
      )
    }
    switch invocation.text(.keptLog) {
    case "none":
      details.stdout = details.stdout ?? "/dev/null"
      details.stderr = details.stderr ?? (invocation.isSet(.pty) ? nil : "/dev/null")
    case "failed": details.logsOnlyFailure = true
    default: break
    }
    try takeFiles(invocation, in: String(decoding: directory, as: UTF8.self))
  }

  /// Applies `--send` and `--fetch`.
  private mutating func takeFiles(
    _ invocation: Invocation, in folder: String
  ) throws(WireError) {
    func paths(_ flag: Flag) throws(WireError) -> [String] {
      var paths: [String] = []
      for text in invocation.words(flag) {
        guard let path = SentPath.relative(text, to: folder) else {
          throw WireError(
            .usage,
            "\(flag.spelling) is \(text.quoted), which is not below the job's folder \(folder);"
              + " --cwd names another folder")
        }
        paths.append(path)
      }
      return paths
    }
    if invocation.isSet(.send) { details.send = try paths(.send) }
    if invocation.isSet(.fetch) { details.fetch = try paths(.fetch) }
    if invocation.isSet(.send) || invocation.isSet(.fetch) { filesMayStay = false }
    let runsHere = options.engine.map { $0 == EngineName.here } ?? true
    guard !filesMayStay || !runsHere else { return }
    let source = invocation.isSet(.send) ? Flag.send.spelling : "\"send\" of its job.json"
    for path in details.send where !File.exists("\(folder)/\(path)") {
      throw WireError(.notFound, "\(source) is \(path.quoted), and \(folder) has no such file")
    }
  }

  /// The path of an output, as `OutputPath` takes it: in the folder's name nothing is a placeholder.
  static func outputPath(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : "\(folder.escaping(["%": "%%", "{": "%{"]))/\(path)"
  }

  /// Refuses one file for the outputs of several jobs, of which each would overwrite the others'.
  func checkOwnOutputs(_ invocation: Invocation, of inputs: BatchInputs) throws(WireError) {
    for (flag, path) in [(Flag.stdout, details.stdout), (.stderr, details.stderr)] {
      guard inputs.count > 1, let path, let text = invocation.text(flag), !OutputPath.isOwn(path)
      else { continue }
      var first: [String: Int] = [:]
      for (index, path) in try inputs.outputs(path).enumerated() {
        guard let other = first.updateValue(index, forKey: path) else { continue }
        // A device or a pipe may be shared.
        guard ((try? File.status(path))??.kind ?? .file) == .file else { break }
        throw WireError(
          .usage,
          "\(flag.spelling) is \(text.quoted), and jobs \(other + 1) and \(index + 1) of \(inputs.count)"
            + " would overwrite each other's output there; write a place for the position in its name,"
            + " as in out-%i.txt")
      }
    }
  }
}

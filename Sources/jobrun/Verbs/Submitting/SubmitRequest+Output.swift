import JobWire
import LinuxSystem

extension SubmitRequest {
  /// Applies `--stdout`, `--stderr` and `--log`; paths are those of the job's folder.
  mutating func takeOutput(
    _ invocation: Invocation, in directory: [UInt8]
  ) throws(WireError) {
    func path(_ flag: Flag) throws(WireError) -> String? {
      guard let text = invocation.text(flag) else { return nil }
      guard !text.isEmpty else {
        throw WireError(.usage, "\(flag.spelling) is empty; it must be the name of a file")
      }
      if text.hasPrefix("/") { return text }
      // A percent sign in the folder's name is no placeholder.
      let folder = String(decoding: directory, as: UTF8.self).escaping(["%": "%%"])
      return "\(folder)/\(text)"
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
  }

  /// Refuses one file for the outputs of several jobs, of which each would overwrite the others'.
  func checkOwnOutputs(_ invocation: Invocation, of count: Int) throws(WireError) {
    for (flag, path) in [(Flag.stdout, details.stdout), (.stderr, details.stderr)] {
      guard count > 1, let path, let text = invocation.text(flag), !OutputPath.isOwn(path),
        // A device or a pipe may be shared.
        ((try? File.status(path))??.kind ?? .file) == .file
      else { continue }
      throw WireError(
        .usage,
        "\(flag.spelling) is \(text.quoted), and the \(count) jobs would overwrite each other's output there;"
          + " write a place for the position in its name, as in out-%i.txt")
    }
  }
}

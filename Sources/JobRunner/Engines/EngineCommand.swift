import JobWire
import LinuxSystem

/// How the helper of an engine is started, here or over ssh(1), and put where it is not yet.
struct EngineCommand {
  let settings: EngineSettings
  let tools: Tools

  /// The exit status of the start over ssh if the programs are missing there.
  static let exitMissing: Int32 = 92

  var start: [String] {
    guard let host = settings.through else { return [tools.engine, settings.kind.rawValue] }
    return SSHCommand.words + [
      host,
      remote(
        "[ -x \"$p/jobrun-engine\" ] || exit \(Self.exitMissing);"
          + " exec \"$p/jobrun-engine\" \(settings.kind.rawValue)"),
    ]
  }

  /// Connects its standard streams with the terminal of an attempt; `store`: the engine's folder, relative to the
  /// default one unless it begins with a slash.
  func terminal(of attempt: EngineAttempt, in store: String) -> [String] {
    // Of letters that no shell there takes for its own.
    let place = store.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 2 ? digits : "0\(digits)"
    }.joined()
    let words = [
      settings.kind.rawValue, "terminal", place, "\(attempt.job).\(attempt.attempt)",
    ]
    guard let host = settings.through else { return [tools.engine] + words }
    return SSHCommand.words + [
      host, remote("exec \"$p/jobrun-engine\" \(words.joined(separator: " "))"),
    ]
  }

  /// Copies the programs there, through a separate connection; nil if the engine is local.
  var copy: [String]? {
    guard let host = settings.through else { return nil }
    let unpack = remote(
      // Another engine may have put them there meanwhile, and use them: keep those.
      "umask 077; n=\"$p.$$\"; mkdir -p \"$n\" && tar -xf - -C \"$n\" || exit 1;"
        + " if [ -x \"$p/jobrun-engine\" ]; then rm -rf \"$n\";"
        + " else rm -rf \"$p\" && mv \"$n\" \"$p\"; fi")
    let ssh = SSHCommand.words.joined(separator: " ")
    return [
      "/bin/sh", "-c",
      "tar -chf - -C \"$1\" jobrun-engine jobrun-shim jobrun-helper -C \"$2\" jobrun | \(ssh) \"$3\" \"$4\"",
      "sh",
      File.parent(of: tools.engine), File.parent(of: tools.command), host, unpack,
    ]
  }

  /// Works with any login shell there; `$p` is the folder of this installation's programs.
  private func remote(_ script: String) -> String {
    "exec /bin/sh -c 'p=\"${XDG_CACHE_HOME:-$HOME/.cache}/jobrun/\(mark)\"; \(script)'"
  }

  /// Another for other programs.
  private var mark: String {
    File.mark(of: [
      tools.engine, tools.shim, tools.helper, tools.command,
    ])
  }
}

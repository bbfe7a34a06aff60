import JobWire
import LinuxSystem

/// How the helper of an engine is started, here or over ssh(1), and put where it is not yet.
struct EngineCommand {
  let settings: EngineSettings
  let tools: Tools

  /// The exit status of the start over ssh if the programs are missing there.
  static let exitMissing: Int32 = 92

  /// Without a terminal and without prompts: ssh fails with a message if a password is needed.
  static let ssh = [
    "ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15",
    "-o", "ServerAliveCountMax=3",
  ]

  var start: [String] {
    guard let host = settings.through else { return [tools.engine, settings.kind.rawValue] }
    return Self.ssh + [
      host,
      remote(
        "[ -x \"$p/jobrun-engine\" ] || exit \(Self.exitMissing);"
          + " exec \"$p/jobrun-engine\" \(settings.kind.rawValue)"),
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
    let ssh = Self.ssh.joined(separator: " ")
    return [
      "/bin/sh", "-c",
      "tar -chf - -C \"$1\" jobrun-engine jobrun-node jobrun-helper -C \"$2\" jobrun | \(ssh) \"$3\" \"$4\"",
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
      tools.engine, File.parent(of: tools.engine) + "/jobrun-node", tools.helper, tools.command,
    ])
  }
}

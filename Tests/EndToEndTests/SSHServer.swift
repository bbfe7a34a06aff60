import Foundation
import Glibc
import TestKit

/// A private sshd on a loopback port, and an `ssh` on the PATH that reaches it as the host `there`: the same
/// account, with another home folder.
final class SSHServer {
  /// The first folder on the PATH of its clients.
  let programs: String
  /// The home folder of logins there.
  let account: String
  private let sandbox: Sandbox
  private var server: ChildProcess?

  static let absence = "no sshd is installed (Debian: apt install openssh-server)"
  static let isInstalled = ["/usr/sbin/sshd", "/usr/bin/ssh"]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

  init(_ sandbox: Sandbox) throws {
    self.sandbox = sandbox
    let folder = sandbox.path("ssh")
    account = sandbox.path("there")
    programs = sandbox.path("bin")
    for path in [folder, account, programs] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    for name in ["host", "user"] {
      try sandbox.run(
        "/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/\(name)"])
    }
    try FileManager.default.copyItem(
      atPath: "\(folder)/user.pub", toPath: "\(folder)/authorized")
    let port = try FreePort.find()
    // sshd refuses to run without it where it is installed and was never started.
    try? FileManager.default.createDirectory(
      atPath: "/run/sshd", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755]
    )
    try sandbox.write(
      """
      ListenAddress 127.0.0.1
      Port \(port)
      HostKey \(folder)/host
      AuthorizedKeysFile \(folder)/authorized
      PidFile none
      UsePAM no
      StrictModes no
      PasswordAuthentication no
      PermitRootLogin yes
      SetEnv XDG_CACHE_HOME=\(account)/cache XDG_STATE_HOME=\(account)/state
      ForceCommand cd '\(account)' && HOME='\(account)' exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"
      """, to: "ssh/sshd.conf")
    try sandbox.write(
      """
      Host there
        HostName 127.0.0.1
        Port \(port)
        User \(NSUserName())
        IdentityFile \(folder)/user
        IdentitiesOnly yes
        UserKnownHostsFile \(folder)/known
        StrictHostKeyChecking accept-new
      """, to: "ssh/ssh.conf")
    try sandbox.write(
      "#!/bin/sh\nexec /usr/bin/ssh -F '\(folder)/ssh.conf' \"$@\"\n", to: "bin/ssh",
      executable: true)
    try start()
  }

  /// Accepts connections, at first or again.
  func start() throws {
    _ = try server?.wait()
    let server = try sandbox.start(
      "/usr/sbin/sshd", ["-D", "-e", "-f", sandbox.path("ssh/sshd.conf")])
    try server.wait(for: "Server listening", on: .errors)
    self.server = server
  }

  /// Refuses new connections; existing ones stay.
  func stop() {
    server?.signal(SIGTERM)
    // Until it has ended, it may accept one more.
    _ = try? server?.wait()
  }
}

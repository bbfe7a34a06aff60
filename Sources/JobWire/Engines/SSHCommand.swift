/// How ssh(1) is called, wherever a machine is reached through it; the host and the command follow.
package enum SSHCommand {
  /// Without a terminal and without prompts: ssh fails with a message if a password is needed.
  package static let words = [
    "ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15",
    "-o", "ServerAliveCountMax=3",
  ]
}

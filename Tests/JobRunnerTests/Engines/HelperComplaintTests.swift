import JobRunner
import Testing

/// The message when ssh(1) fails.
struct HelperComplaintTests {
  @Test(arguments: [
    ("", ""),
    (
      "ssh: connect to host tower port 22: Connection refused\r\n",
      "ssh: connect to host tower port 22: Connection refused"
    ),
    (
      "Warning: Permanently added 'tower'\nme@tower: Permission denied (publickey).\n",
      "me@tower: Permission denied (publickey)."
    ),
    (
      "Host key verification failed.\r\n",
      "the host key of tower is not known yet; ssh tower shows it and asks"
    ),
    (
      "No ED25519 host key is known for tower and you have requested strict checking.\r\nHost key verification failed.\r\n",
      "the host key of tower is not known yet; ssh tower shows it and asks"
    ),
    (
      """
      @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
      @    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
      @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
      Offending ED25519 key in /home/me/.ssh/known_hosts:3
      Host key for tower has changed and you have requested strict checking.
      Host key verification failed.

      """, "the host key of tower has changed; if that is right, ssh-keygen -R removes the old one"
    ),
  ])
  func `a host key that is unknown and one that has changed read differently`(
    _ written: String, _ sentence: String
  ) {
    #expect(HelperComplaint.sentence(Array(written.utf8), host: "tower") == sentence)
  }

  @Test func `a helper of this machine is told as it complains`() {
    let written = Array("Host key verification failed.\n".utf8)
    #expect(HelperComplaint.sentence(written, host: nil) == "Host key verification failed.")
  }
}

import JobWire

/// Why a helper has ended, from its standard error or that of ssh(1).
package enum HelperComplaint {
  /// One sentence; empty without output.
  ///
  /// `host`: the destination of ssh; nil = a local engine.
  package static func sentence(_ written: some Collection<UInt8>, host: String?) -> String {
    let lines = written.split { $0 == 0x0A || $0 == 0x0D }
    guard let last = lines.last else { return "" }
    let words = SafeText.shown(String(decoding: last, as: UTF8.self))
    guard let host, words.hasPrefix("Host key verification failed") else { return words }
    // For an unknown host key ssh prints only this, because it cannot prompt.
    let all = String(decoding: Array(written), as: UTF8.self)
    let hasChanged = all.holds("IDENTIFICATION HAS CHANGED") || all.holds("has changed and you")
    return hasChanged
      ? "the host key of \(host) has changed; if that is right, ssh-keygen -R removes the old one"
      : "the host key of \(host) is not known yet; ssh \(host) shows it and asks"
  }
}

import JobWire

/// Why a helper has ended, from what it, or ssh(1) in its place, has written to its standard error.
package enum HelperComplaint {
  /// One sentence; empty when nothing was written.
  ///
  /// `host`: what ssh was given; nil = it was not needed.
  package static func sentence(_ written: some Collection<UInt8>, host: String?) -> String {
    let lines = written.split { $0 == 0x0A || $0 == 0x0D }
    guard let last = lines.last else { return "" }
    let words = SafeText.shown(String(decoding: last, as: UTF8.self))
    guard let host, words.hasPrefix("Host key verification failed") else { return words }
    // Of a key that is only unknown ssh says no more than that, as it may ask nobody.
    let all = String(decoding: Array(written), as: UTF8.self)
    let hasChanged = all.holds("IDENTIFICATION HAS CHANGED") || all.holds("has changed and you")
    return hasChanged
      ? "the host key of \(host) has changed; if that is right, ssh-keygen -R removes the old one"
      : "the host key of \(host) is not known yet; ssh \(host) shows it and asks"
  }
}

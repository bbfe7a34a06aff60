/// What is retried, and when.
enum RetryRule {
  /// Consecutive tries without progress.
  static let maximumTries = 10

  /// Statuses that a retry may avoid (RFC 9110, 6585, 8470); not those for requests that a server cannot
  /// serve at all.
  static func isTransient(status: Int) -> Bool {
    switch status {
    case 501, 505: false
    case 408, 425, 429, 500...599: true
    default: false
    }
  }

  /// Whether a server that answers with this status has not done what was asked for: it has refused it, sent it
  /// elsewhere, or cannot do it now.
  static func isUntaken(status: Int) -> Bool {
    switch status {
    case 408: false
    case 301, 302, 307, 308, 400..<500, 501, 503, 505: true
    default: false
    }
  }

  /// Whether the same request with other credentials may succeed.
  static func isForAuthentication(status: Int) -> Bool { [401, 407].contains(status) }

  /// The delay after `failures` failed tries: 1, 2, 4 … 60 s, up to a quarter less, so that clients that
  /// failed together do not return together; the server's own delay is the minimum.
  static func delay(
    after failures: Int, asked: Duration?, random: Double = .random(in: 0...1)
  ) -> Duration {
    let most = min(60, 1 << min(failures - 1, 6))
    let own = Duration.seconds(Double(most) * (1 - random / 4))
    return max(own, asked ?? .zero)
  }
}

/// What is tried again, and when.
enum RetryRule {
  /// Tries in a row that brought nothing.
  static let maximumTries = 10

  /// Answers that another time may be others (RFC 9110, 6585, 8470); what a server cannot do at all is none.
  static func isTransient(status: Int) -> Bool {
    switch status {
    case 501, 505: false
    case 408, 425, 429, 500...599: true
    default: false
    }
  }

  /// The wait before a try that follows `failures` in vain: 1, 2, 4 … 60 s, up to a quarter less, so that
  /// those who failed together do not come back together; what the server asks for is the least.
  static func delay(
    after failures: Int, asked: Duration?, random: Double = .random(in: 0...1)
  ) -> Duration {
    let most = min(60, 1 << min(failures - 1, 6))
    let own = Duration.seconds(Double(most) * (1 - random / 4))
    return max(own, asked ?? .zero)
  }
}

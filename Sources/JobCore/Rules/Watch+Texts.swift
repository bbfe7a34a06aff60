extension Watch {
  /// As many silences as reports that change no count are a sign of life.
  private static let silencesOfTexts: UInt64 = 5

  /// How long the job has reported only texts, if the last sample confirms that this exceeds its limit;
  /// otherwise nil.
  ///
  /// A job with an unfinished total is judged by its stall.
  mutating func judgeTexts(silentAfter: Interval?, at now: Instant) -> Interval? {
    guard let silentAfter, sample.total == 0 || sample.completed >= sample.total else { return nil }
    let since = max(countedAt, quietUntil)
    let limit = silentAfter * Watch.silencesOfTexts
    guard reportedAt > since, now >= since + limit else {
      textsSuspectedAt = nil
      return nil
    }
    guard let suspectedAt = textsSuspectedAt else {
      textsSuspectedAt = now
      return nil
    }
    return now >= suspectedAt + Watch.confirmation ? limit : nil
  }
}

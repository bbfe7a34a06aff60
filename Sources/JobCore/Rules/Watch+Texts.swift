extension Watch {
  /// As many silences as reports that change no count are a sign of life.
  private static let silencesOfTexts: UInt64 = 5

  /// Whether the look just taken confirms that the job reports texts alone, and has done so for longer than
  /// these are believed; for how long.
  ///
  /// A job that counts towards a total and has not done all of it is judged by its stall.
  mutating func judgeTexts(silentAfter: Interval?, at now: Instant) -> Interval? {
    guard let silentAfter, sample.total == 0 || sample.completed >= sample.total else { return nil }
    let since = max(countedAt, quietUntil)
    let patience = silentAfter * Watch.silencesOfTexts
    guard reportedAt > since, now >= since + patience else {
      textsSuspectedAt = nil
      return nil
    }
    guard let suspectedAt = textsSuspectedAt else {
      textsSuspectedAt = now
      return nil
    }
    return now >= suspectedAt + Watch.confirmation ? patience : nil
  }
}

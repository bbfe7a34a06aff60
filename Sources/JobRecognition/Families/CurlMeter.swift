import JobCore

/// curl's table of twelve columns, and its bar of `#` (`-#`).
///
/// `  % Total    % Received % Xferd  Average Speed …`, then one line that is written anew: percent,
/// total, percent, received, percent, sent, two speeds, three times, speed; amounts in powers of 1024
/// (curl(1), PROGRESS METER).
struct CurlMeter: Recogniser {
  let name = "curl"
  let isInner = true

  func read(_ line: OutputLine) -> ProgressCounts? {
    let words = line.words
    return table(words) ?? bar(words)
  }

  private func table(_ words: [Piece]) -> ProgressCounts? {
    guard words.count >= 12, [0, 2, 4].allSatisfy({ (words[$0].wholeNumber ?? .max) <= 100 }),
      words[8...].prefix(3).contains(where: { $0.equals("--:--:--") || $0.clockMilliseconds != nil }
      ),
      let total = words[1].amount(step: 1024), let received = words[3].amount(step: 1024),
      let sent = words[5].amount(step: 1024)
    else { return nil }
    let (completed, overflow) = received.addingReportingOverflow(sent)
    guard !overflow else { return nil }
    // Both amounts are rounded to four digits.
    return ProgressCounts(
      completed: total == 0 ? completed : min(completed, total), total: total, unit: .bytes)
  }

  private func bar(_ words: [Piece]) -> ProgressCounts? {
    guard let share = words.last?.percent, words.last?.contains(".") == true,
      words.count > 1,
      words.dropLast().allSatisfy({ $0.allSatisfy { $0 == UInt8(ascii: "#") } })
    else { return nil }
    return ProgressCounts(hundredths: share)
  }
}

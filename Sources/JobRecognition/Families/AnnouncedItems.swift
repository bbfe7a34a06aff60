import JobCore

/// Items that a program announces, and then reports on a line each: TAP (`1..30`), Rust's and
/// Google's tests, scikit-learn's grid search (`totalling 30 fits`), Ghostscript's pages.
struct AnnouncedItems: Recogniser {
  let name = "announced"
  /// One form of announcements and items.
  private struct Form {
    /// The text before the number.
    var announcement: StaticString
    /// The text after it.
    var noun: StaticString
    /// The beginning of a line that reports a finished item.
    var items: [StaticString]
    /// Further text in such a line.
    var sign: StaticString = ""
    /// The line comes before the work on its item.
    var begins = false
  }

  private static let forms = [
    Form(announcement: "1..", noun: "", items: ["ok ", "not ok "]),
    Form(announcement: "running ", noun: " test", items: ["test "], sign: " ... "),
    Form(
      announcement: "[==========] Running ", noun: " test",
      items: ["[       OK ]", "[  FAILED  ]", "[  SKIPPED ]"], sign: " ms)"),
    Form(announcement: "totalling ", noun: " fits", items: ["[CV"], sign: "total"),
    Form(
      announcement: "Processing pages 1 through ", noun: ".", items: ["Page "], begins: true),
  ]

  private var form: Int?
  private var total: UInt64 = 0
  private var done: UInt64 = 0
  private(set) var bar = 0

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    guard line.isComplete else { return nil }
    let bytes = line.bytes[...]
    if line.hasDigits, let (form, total) = Self.plan(bytes) {
      if self.total > 0 { bar += 1 }
      (self.form, self.total, done) = (form, total, 0)
      return nil
    }
    guard let form, done < total,
      Self.forms[form].items.contains(where: { bytes.starts(with: $0) }),
      bytes.contains(Self.forms[form].sign)
    else { return nil }
    done += 1
    return ProgressCounts(completed: Self.forms[form].begins ? done - 1 : done, total: total)
  }

  private static func plan(_ bytes: Piece) -> (Int, UInt64)? {
    for (index, form) in forms.enumerated() {
      // Only scikit-learn begins with other words.
      let begins = bytes.starts(with: form.announcement)
      guard begins || bytes.starts(with: "Fitting "), let rest = bytes.after(form.announcement)
      else { continue }
      let digits = rest.prefix { $0.isDigit }
      let tail = rest[digits.endIndex...]
      guard let total = digits.wholeNumber, total > 1,
        form.noun.utf8CodeUnitCount == 0 ? tail.isEmpty : tail.starts(with: form.noun)
      else { continue }
      return (index, total)
    }
    return nil
  }
}

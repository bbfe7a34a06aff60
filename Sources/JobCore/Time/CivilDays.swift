/// The days on which a repeated command runs, as in a crontab: of the week or of the month; with both, a day of
/// either kind.
package struct CivilDays: Hashable, Sendable {
  /// Bit 0 = Monday.
  package var weekdays: UInt8
  /// Bit 0 = the 1st.
  package var monthDays: UInt32
  /// Bit 0 = January; 0 = all.
  package var months: UInt16

  package init(weekdays: UInt8 = 0, monthDays: UInt32 = 0, months: UInt16 = 0) {
    (self.weekdays, self.monthDays, self.months) = (weekdays, monthDays, months)
  }

  /// Between two February 29ths there may be eight years.
  static let farthest = 366 * 8 + 2

  /// Whether a day is one of them, counted from 1970-01-01.
  package func includes(_ day: Int64) -> Bool {
    let date = CivilDate(daysSinceEpoch: day)
    if months != 0, months >> UInt16(date.month - 1) & 1 == 0 { return false }
    if weekdays == 0, monthDays == 0 { return true }
    // The first day of 1970 was a Thursday.
    let weekday = day - 7 * (day + 3).flooredDivision(by: 7) + 3
    return weekdays >> UInt8(weekday) & 1 == 1 || monthDays >> UInt32(date.day - 1) & 1 == 1
  }

  /// Whether there is such a day at all, which the 30th of February is not.
  package var exist: Bool { (0..<Int64(Self.farthest)).contains { includes($0) } }
}

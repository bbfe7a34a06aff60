/// A day of the proleptic Gregorian calendar, for years from 0.
package struct CivilDate: Hashable, Sendable {
  package var year: Int
  /// From 1 to 12.
  package var month: Int
  /// From 1 to 31.
  package var day: Int

  /// Counts in years that begin in March and eras of 400 years (146,097 days), as in Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms": leap days then fall on the end of a year.
  package init(daysSinceEpoch: Int64) {
    let shifted = daysSinceEpoch + CivilDate.epochShift
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  /// Nil for a day that the calendar does not have.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    self.year = year
    self.month = month
    self.day = day
    guard CivilDate(daysSinceEpoch: daysSinceEpoch) == self else { return nil }
  }

  /// 1970-01-01 is 0.
  package var daysSinceEpoch: Int64 {
    let marchYear = Int64(month <= 2 ? year - 1 : year)
    let era = marchYear.flooredDivision(by: 400)
    let yearOfEra = marchYear - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - CivilDate.epochShift
  }

  /// Days from 0000-03-01 to 1970-01-01.
  private static let epochShift: Int64 = 719_468
}

extension Int64 {
  /// The quotient rounded towards minus infinity.
  package func flooredDivision(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

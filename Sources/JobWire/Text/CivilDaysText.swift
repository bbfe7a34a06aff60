package import JobCore

/// Days as people type them: `mon-fri`, `1st,15th`, `jan-mar 1st`.
package enum CivilDaysText {
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let ordinals = (1...31).map { ordinal($0) }

  /// Nil for other texts, and for days that do not exist.
  package static func parse(_ text: String) -> CivilDays? {
    var days = CivilDays()
    for item in text.lowercased().split(whereSeparator: { $0 == " " || $0 == "," }) {
      if let mask = mask(of: item, among: weekdays) {
        days.weekdays |= UInt8(truncatingIfNeeded: mask)
      } else if let mask = mask(of: item, among: months) {
        days.months |= UInt16(truncatingIfNeeded: mask)
      } else if let mask = mask(of: item, among: ordinals) {
        days.monthDays |= mask
      } else {
        return nil
      }
    }
    return days != CivilDays() && days.exist ? days : nil
  }

  /// `mon-fri`, `jan,jul 1st`.
  package static func format(_ days: CivilDays) -> String {
    [
      text(of: UInt32(days.months), months), text(of: UInt32(days.weekdays), weekdays),
      text(of: days.monthDays, ordinals),
    ].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The bits of `mon` or `mon-fri`; a range may go over the end.
  private static func mask(of item: Substring, among names: [String]) -> UInt32? {
    let ends = item.split(separator: "-", omittingEmptySubsequences: false).map { end in
      end.count < 3 ? nil : names.firstIndex { $0 == end || !$0.isOrdinal && $0.hasPrefix(end) }
    }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else {
      return nil
    }
    var mask: UInt32 = 0
    var index = first
    while true {
      mask |= 1 << UInt32(index)
      if index == last { return mask }
      index = (index + 1) % names.count
    }
  }

  private static func text(of mask: UInt32, _ names: [String]) -> String {
    var parts: [String] = []
    var index = 0
    while index < names.count {
      var end = index
      while end < names.count, mask >> UInt32(end) & 1 == 1 { end += 1 }
      let run = names[index..<end].map { $0.isOrdinal ? $0 : String($0.prefix(3)) }
      parts += run.count > 2 ? ["\(run[0])-\(run[run.count - 1])"] : run
      index = end + 1
    }
    return parts.joined(separator: ",")
  }

  private static func ordinal(_ number: Int) -> String {
    let end =
      switch (number % 10, number / 10) {
      case (_, 1): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    return "\(number)\(end)"
  }
}

extension CivilDays: FieldRepresentable {
  package static var wanted: String { "days such as mon-fri or 1st,15th" }

  package var field: String { CivilDaysText.format(self) }

  package init?(field: String) {
    guard let days = CivilDaysText.parse(field) else { return nil }
    self = days
  }
}

extension String {
  fileprivate var isOrdinal: Bool { first?.isNumber ?? false }
}

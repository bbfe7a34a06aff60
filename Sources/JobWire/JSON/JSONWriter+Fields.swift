package import JobCore

extension JSONWriter {
  package mutating func field(_ name: StaticString, _ text: String) {
    key(name)
    value(text)
  }

  package mutating func field(_ name: StaticString, _ text: String?) {
    key(name)
    if let text { value(text) } else { null() }
  }

  package mutating func field(_ name: StaticString, _ flag: Bool) {
    key(name)
    value(flag)
  }

  package mutating func field(_ name: StaticString, _ flag: Bool?) {
    key(name)
    if let flag { value(flag) } else { null() }
  }

  package mutating func field(_ name: StaticString, _ number: some BinaryInteger) {
    key(name)
    if let small = Int64(exactly: number) { value(small) } else { value(UInt64(clamping: number)) }
  }

  package mutating func field(_ name: StaticString, _ number: (some BinaryInteger)?) {
    guard let number else { return field(name, nil as String?) }
    field(name, number)
  }

  package mutating func field(_ name: StaticString, _ number: Double?) {
    key(name)
    if let number { value(number) } else { null() }
  }

  package mutating func field(_ name: StaticString, _ time: WallTime?) {
    key(name)
    if let time { value(time) } else { null() }
  }

  package mutating func field(_ name: StaticString, _ texts: [String]) {
    key(name)
    value(texts)
  }

  package mutating func value(_ texts: [String]) {
    beginArray()
    for text in texts { value(text) }
    endArray()
  }
}

extension [UInt8] {
  /// Appends the decimal digits of `number`, with leading zeros up to `width`.
  mutating func appendDecimal(_ number: UInt64, width: Int = 1) {
    if number < 10, width <= 1 { return append(UInt8(ascii: "0") + UInt8(number)) }
    var digits = 1
    var rest = number / 10
    while rest > 0 {
      digits += 1
      rest /= 10
    }
    digits = Swift.max(digits, width)
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
    rest = number
    var index = count - 1
    while rest > 0 {
      self[index] += UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      index -= 1
    }
  }

  /// Appends `.` and the decimals of this many millionths, without trailing zeros.
  mutating func appendDecimals(millionths: UInt64) {
    guard millionths > 0 else { return }
    append(UInt8(ascii: "."))
    appendDecimal(millionths, width: 6)
    while last == UInt8(ascii: "0") { removeLast() }
  }
}

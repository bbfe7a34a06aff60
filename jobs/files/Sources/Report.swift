internal import Foundation
internal import Glibc
internal import JobWire

/// Messages for people: lines of the log, and formatted numbers.
package enum Report {
  /// Writes one line to the log.
  package static func say(_ sentence: String) {
    // A log that cannot be written does not affect the work.
    try? FileHandle.standardError.write(contentsOf: Data((sentence + "\n").utf8))
  }

  /// The kernel's words for an error number.
  package static func reason(_ number: Int32) -> String {
    unsafe String(cString: strerror(number))
  }

  /// An address without its name and password: `https://…@host/`.
  package static func address(_ text: String) -> String { AddressLogin.hidden(in: text) }

  /// For example `5,012`.
  package static func number(_ value: Int) -> String {
    var groups: [Substring] = []
    var rest = Substring(String(value))
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest.removeLast(3)
    }
    return ([rest] + groups).joined(separator: ",")
  }

  /// For example `212 MB`: decimal units, as disks are sold.
  package static func bytes(_ value: Int64) -> String {
    var amount = Double(value)
    var unit = "bytes"
    for next in ["kB", "MB", "GB", "TB"] where amount >= 999.5 {
      amount /= 1000
      unit = next
    }
    if unit == "bytes" { return value == 1 ? "1 byte" : "\(value) bytes" }
    return amount < 9.95
      ? "\((amount * 10).rounded() / 10) \(unit)" : "\(Int(amount.rounded())) \(unit)"
  }

  /// For example `1 file`, `5,012 files`.
  package static func count(_ value: Int, _ noun: String) -> String {
    "\(number(value)) \(noun)\(value == 1 ? "" : "s")"
  }
}

/// Additional options of a person for `sbatch`.
enum SlurmOption {
  /// Options that jobrun uses to find, stop and watch its attempts, long and short.
  private static let ours: [(long: String, short: String?)] = [
    ("job-name", "J"), ("output", "o"), ("error", "e"), ("input", "i"), ("open-mode", nil),
    ("requeue", nil), ("no-requeue", nil), ("export", nil), ("export-file", nil), ("chdir", "D"),
    ("signal", nil), ("array", "a"), ("wrap", nil), ("parsable", nil), ("comment", nil),
    ("wait", "W"), ("test-only", nil), ("quiet", "Q"), ("dependency", "d"), ("begin", "b"),
    ("hold", "H"), ("uid", nil), ("gid", nil), ("help", "h"), ("usage", nil), ("version", "V"),
  ]

  /// The error in an option, as the end of a sentence; nil when it is valid.
  static func problem(_ option: String) -> String? {
    let bytes = Array(option.utf8)
    guard bytes.count > 1, bytes[0] == UInt8(ascii: "-"), !bytes.contains(0) else {
      return "which is not an option of sbatch; write it like \"--qos=normal\""
    }
    let isLong = bytes[1] == UInt8(ascii: "-")
    let name =
      isLong
      ? String(decoding: bytes[2...].prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      : String(decoding: bytes[1..<2], as: UTF8.self)
    // sbatch takes a long name that is cut short, too.
    let clashes = ours.contains {
      isLong ? name.utf8.count > 2 && $0.long.utf8.starts(with: name.utf8) : $0.short == name
    }
    return clashes ? "which jobrun sets itself; leave it out" : nil
  }
}

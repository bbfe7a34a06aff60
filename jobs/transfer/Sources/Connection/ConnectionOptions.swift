internal import Glibc
internal import JobFiles

/// Options of every connection, the same for downloads and uploads.
struct ConnectionOptions: Hashable {
  /// The options' part of a usage text.
  static let usage = """
    --limit-rate RATE  maximum bytes per second: 500k, 2M
      --header-file FILE header lines to send, such as Authorization: Bearer …
      --discretionary    not urgent: at idle priority, and only with external power and an unmetered network
      --unmetered        wait while the network is metered (NetworkManager)
      --ca-file FILE     the certificates of the authorities to trust, PEM
      --answer FILE      for programs: write the server's answer there as JSON; any status is a success
    """

  /// Bytes a second; nil = unlimited.
  private(set) var speed: Int64?
  private var headerFile: BytePath?
  private(set) var authorities: BytePath?
  private(set) var isDiscretionary = false
  private(set) var isUnmetered = false
  /// The file for the server's response; any status then counts as a result.
  private(set) var answer: AnswerFile?

  private static let maximumHeaderBytes = 64 << 10

  /// Parses `flag` with its value, if it has one, from `rest`; false when it is another flag.
  mutating func take(
    _ flag: String, _ rest: inout ArraySlice<BytePath>
  ) throws(TransferError) -> Bool {
    switch flag {
    case "--limit-rate": speed = try Self.rate(try Self.value(&rest, of: flag))
    case "--discretionary": isDiscretionary = true
    case "--unmetered": isUnmetered = true
    case "--header-file": headerFile = try Self.value(&rest, of: flag)
    case "--ca-file":
      let file = try Self.value(&rest, of: flag)
      guard FileStatus(file, follow: true) != nil else { throw Self.unreadable(flag, file) }
      authorities = file
    case "--answer": answer = AnswerFile(path: try Self.value(&rest, of: flag))
    default: return false
    }
    return true
  }

  /// The value of `flag`, removed from `rest`.
  static func value(
    _ rest: inout ArraySlice<BytePath>, of flag: String
  ) throws(TransferError) -> BytePath {
    guard let value = rest.popFirst(), !value.bytes.isEmpty else {
      throw .usage("\(flag) needs a value")
    }
    return value
  }

  /// The lines of the header file.
  func fields() throws(TransferError) -> [String] {
    guard let headerFile else { return [] }
    guard let bytes = SmallFile.read(headerFile, most: Self.maximumHeaderBytes) else {
      throw Self.unreadable("--header-file", headerFile)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    var fields: [String] = []
    for line in text.split(whereSeparator: { $0.isNewline })
    where !line.allSatisfy({ $0.isWhitespace }) {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        line[..<colon].allSatisfy({ $0.isASCII && !$0.isWhitespace })
      else {
        // The line may be a secret: it is not repeated.
        throw .usage("--header-file \(headerFile): a line of it is not like Name: value")
      }
      fields.append(String(line))
    }
    return fields
  }

  private static func unreadable(_ flag: String, _ path: BytePath) -> TransferError {
    .usage("\(flag) \(path) cannot be read: \(Report.reason(errno))")
  }

  /// `500k`, `2M`: thousands and millions of bytes.
  private static func rate(_ value: BytePath) throws(TransferError) -> Int64 {
    var digits = value.description[...]
    let factor: Int64 =
      switch digits.last {
      case "k", "K": 1000
      case "M": 1_000_000
      case "G": 1_000_000_000
      default: 1
      }
    if factor > 1 { digits.removeLast() }
    guard let number = Int64(digits), number > 0,
      case (let bytes, let overflows) = number.multipliedReportingOverflow(by: factor), !overflows
    else {
      throw .usage("--limit-rate \(value) must be bytes a second, such as 500k or 2M")
    }
    return bytes
  }
}

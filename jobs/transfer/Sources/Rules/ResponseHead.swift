internal import Foundation
internal import Glibc
internal import JobFiles

/// A server's response before the body, of the last response after redirects.
struct ResponseHead: Hashable {
  private(set) var status = 0
  private(set) var fields: [String: String] = [:]
  /// The address of the upload resource: the server may send it before the response (104).
  private(set) var resumption: String?

  /// Parses one line with its end; a status line starts another response.
  mutating func take(_ line: some Collection<UInt8>) {
    let text = String(decoding: line, as: UTF8.self).filter { !$0.isNewline }
    if text.hasPrefix("HTTP/") {
      let words = text.split(separator: " ")
      let known = resumption
      self = ResponseHead()
      resumption = known
      status = words.count > 1 ? Int(words[1]) ?? 0 : 0
      return
    }
    guard let colon = text.firstIndex(of: ":") else { return }
    fields[text[..<colon].lowercased()] = Self.trimmed(text[text.index(after: colon)...])
    if status == 104 { resumption = fields["location"] }
  }

  /// Whether the file is at another address.
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

  /// The length of the body in bytes; nil if unknown.
  var contentLength: Int64? {
    fields["content-length"].flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Whether the server supports range requests.
  var knowsRanges: Bool { fields["accept-ranges"]?.lowercased() == "bytes" }

  /// The validator for conditional requests (RFC 9110, section 13.1.5): a strong tag, else the time of the
  /// last change; a weak tag says nothing about bytes, nor does a change in the second of the response.
  var validator: String? {
    if let tag = fields["etag"], tag.hasPrefix("\"") { return tag }
    return fields["last-modified"].flatMap { $0 == fields["date"] ? nil : $0 }
  }

  /// Whether it belongs to another file than `known` was the validator of; a partial response may lack one.
  func isOfAnother(than known: String?) -> Bool {
    guard let known else { return false }
    let own = known.hasPrefix("\"") ? fields["etag"] : fields["last-modified"]
    return own.map { $0 != known } ?? false
  }

  /// The range of a 206 and the total length: `bytes 5-9/10`.
  var contentRange: (start: Int64, end: Int64, total: Int64?)? {
    guard let value = fields["content-range"], value.lowercased().hasPrefix("bytes ") else {
      return nil
    }
    let parts = value.dropFirst(6).split(separator: "/")
    let bounds = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, bounds.count == 2, let start = Int64(bounds[0]),
      let last = Int64(bounds[1]), last >= start, start >= 0, last < .max
    else { return nil }
    return (start, last + 1, Int64(parts[1]))
  }

  /// The total length of a 416: `bytes */10`.
  var lengthWithoutRange: Int64? {
    guard let value = fields["content-range"], value.lowercased().hasPrefix("bytes */") else {
      return nil
    }
    return Int64(value.dropFirst("bytes */".count))
  }

  /// The content encoding; nil = none.
  var encoding: String? {
    fields["content-encoding"].flatMap { $0.lowercased() == "identity" ? nil : $0.lowercased() }
  }

  /// How long the server asks us to wait, in seconds or up to a date (RFC 9110, section 10.2.3).
  var retryAfter: Duration? {
    guard let text = fields["retry-after"] else { return nil }
    let seconds = Int64(text) ?? Self.date(text).map { $0 - Int64(time(nil)) }
    return seconds.map { .seconds(min(max(0, $0), 86_400)) }
  }

  private static let months = "JanFebMarAprMayJunJulAugSepOctNovDec"

  /// `Fri, 31 Dec 1999 23:59:59 GMT` in seconds since 1970.
  private static func date(_ text: String) -> Int64? {
    let words = text.split { $0 == " " || $0 == ":" }
    let numbers = words.compactMap { Int64($0) }
    guard words.count == 8, numbers.count == 5, numbers.allSatisfy({ (0...9999).contains($0) }),
      words[7] == "GMT", words[2].count == 3, let name = months.range(of: words[2])
    else { return nil }
    // Years that start with March: the leap day is always at their end.
    let month = Int64(months.distance(from: months.startIndex, to: name.lowerBound) / 3 + 10) % 12
    let year = numbers[1] - (month >= 10 ? 1 : 0)
    let days =
      365 * year + year / 4 - year / 100 + year / 400 + (306 * month + 5) / 10 + numbers[0]
      - 719_469
    return ((days * 24 + numbers[2]) * 60 + numbers[3]) * 60 + numbers[4]
  }

  /// The suggested file name.
  var fileName: BytePath? {
    fields["content-disposition"].flatMap { FileName.inDisposition($0) }
  }

  /// The SHA-256 that the server announced, in base64 (RFC 9530, and RFC 3230 before it).
  var promisedDigest: String? {
    for name in ["repr-digest", "digest"] {
      for entry in (fields[name] ?? "").split(separator: ",") {
        guard let equals = entry.firstIndex(of: "="),
          Self.trimmed(entry[..<equals]).lowercased() == "sha-256"
        else { continue }
        return Self.trimmed(entry[entry.index(after: equals)...]).filter { $0 != ":" }
      }
    }
    return nil
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}

internal import JobFiles

/// Sanitized names from a server.
enum FileName {
  /// The maximum length of a name, so that suffixes fit, too (a filesystem takes 255 bytes).
  private static let maximumBytes = 200

  /// `bytes` as a file name in a folder, whatever they are; nil when nothing remains.
  ///
  /// Only the part after the last slash or backslash counts, without control characters and leading dots.
  static func safe(_ bytes: [UInt8]) -> BytePath? {
    let last =
      bytes.split(omittingEmptySubsequences: false) {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
      }.last ?? []
    let text = String(decoding: last, as: UTF8.self)
    let scalars = text.unicodeScalars.filter {
      $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
    }
    let name = scalars.drop { $0 == "." || $0 == " " }
    var kept = String.UnicodeScalarView()
    var count = 0
    for scalar in name {
      count += UTF8.width(scalar)
      if count > maximumBytes { break }
      kept.append(scalar)
    }
    return kept.isEmpty ? nil : BytePath(String(kept))
  }

  /// `%41` as A; invalid escapes stay.
  static func unescaped(_ text: some StringProtocol) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "%"), rest.count >= 2,
        let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(first)
      }
    }
    return bytes
  }

  private static let packedEndings = [
    "br", "bz2", "gz", "lz4", "svgz", "tbz", "tgz", "txz", "tzst", "xz", "z", "zst", "zz",
  ]

  /// Whether the name says that the content is compressed.
  static func isPacked(_ path: BytePath) -> Bool {
    let parts = path.name.description.lowercased().split(separator: ".")
    return parts.count > 1 && parts.last.map { packedEndings.contains(String($0)) } ?? false
  }

  /// The file name extension for a server's content encoding (RFC 9110, section 8.4.1).
  static func ending(ofPacked encoding: String) -> String {
    switch encoding {
    case "gzip", "x-gzip": "gz"
    case "zstd": "zst"
    case "deflate": "zz"
    case "compress", "x-compress": "Z"
    default: packedEndings.contains(encoding) ? encoding : "gz"
    }
  }

  /// The name in a `Content-Disposition` (RFC 6266): `filename*` before `filename`.
  static func inDisposition(_ value: String) -> BytePath? {
    var plain: BytePath?
    for (name, value) in parameters(value) {
      switch name {
      case "filename*":
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { continue }
        if let found = safe(unescaped(parts[2])) { return found }
      case "filename": plain = safe(Array(value.utf8))
      default: break
      }
    }
    return plain
  }

  /// Names in lower case with their values; quotes are removed, and a semicolon in them is text.
  private static func parameters(_ value: String) -> [(String, String)] {
    var parts: [String] = [""]
    var isQuoted = false
    var isEscaped = false
    for character in value {
      switch character {
      case _ where isEscaped:
        parts[parts.count - 1].append(character)
        isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case ";" where !isQuoted: parts.append("")
      default: parts[parts.count - 1].append(character)
      }
    }
    return parts.dropFirst().compactMap { part in
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let name = part[..<equals].filter { $0 != " " }.lowercased()
      return (name, String(part[part.index(after: equals)...].drop { $0 == " " }))
    }
  }
}

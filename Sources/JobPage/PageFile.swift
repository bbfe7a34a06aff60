package import LinuxSystem

/// Makes a page, as the runner does before it starts a worker.
package enum PageFile {
  /// Makes the page of an attempt, replacing an existing file (0600).
  ///
  /// `title` and `subtitle` are the initial texts from the submitter, cut to the maximum length.
  package static func create(
    _ path: String, number: UInt64, attempt: UInt64, title: String = "", subtitle: String = ""
  ) throws(JobPageError) {
    try create(path, content(number: number, attempt: attempt, title: title, subtitle: subtitle))
  }

  /// The same with the given content (`content`).
  package static func create(_ path: String, _ bytes: [UInt8]) throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in
      // Removed, not overwritten: open descriptors keep the old page.
      try File.remove(path)
      let file = try File.open(path, [.write, .create, .exclusive, .noFollow])
      try file.writeAll(bytes)
    }
  }

  /// Makes an unnamed page for a task without a runner, in its own process.
  package static func createInMemory(
    number: UInt64, attempt: UInt64, title: String, subtitle: String
  ) throws(JobPageError) -> FileDescriptor {
    let bytes = content(number: number, attempt: attempt, title: title, subtitle: subtitle)
    return try JobPageError.wrapping { () throws(SystemError) in
      try MemoryFile.make(bytes, name: "jobrun-page")
    }
  }

  /// The initial bytes of the page of an attempt.
  package static func content(
    number: UInt64, attempt: UInt64, title: String, subtitle: String
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: PageLayout.size)
    bytes.replace(at: PageLayout.magic, with: PageLayout.magicBytes)
    bytes.replace(at: PageLayout.versionNumber, with: PageLayout.version.littleEndianBytes)
    bytes.replace(at: PageLayout.pageSize, with: UInt32(PageLayout.size).littleEndianBytes)
    bytes.replace(at: PageLayout.jobNumber, with: number.littleEndianBytes)
    bytes.replace(at: PageLayout.attempt, with: attempt.littleEndianBytes)
    bytes.replaceText(at: PageLayout.title, with: title)
    bytes.replaceText(at: PageLayout.subtitle, with: subtitle)
    return bytes
  }
}

extension [UInt8] {
  /// A length and the text, cut at a whole character to the maximum length.
  fileprivate mutating func replaceText(at offset: Int, with text: String) {
    var rest = text[...]
    while rest.utf8.count > PageLayout.textBytes { rest.removeLast() }
    replace(at: offset, with: UInt16(rest.utf8.count).littleEndianBytes + Array(rest.utf8))
  }

  mutating func replace(at offset: Int, with bytes: [UInt8]) {
    replaceSubrange(offset..<(offset + bytes.count), with: bytes)
  }
}

extension FixedWidthInteger {
  var littleEndianBytes: [UInt8] {
    (0..<(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) }
  }
}

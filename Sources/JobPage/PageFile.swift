package import LinuxSystem

/// Making a page, as the runner does before it starts a worker.
package enum PageFile {
  /// Makes the page of an attempt, replacing what is at that path (0600).
  ///
  /// `title` and `subtitle` are what the worker finds there: the submitter's words, cut to the
  /// room there is.
  package static func create(
    _ path: String, number: UInt64, attempt: UInt64, title: String = "", subtitle: String = ""
  ) throws(JobPageError) {
    try create(path, content(number: number, attempt: attempt, title: title, subtitle: subtitle))
  }

  /// The same with its content (`content`).
  package static func create(_ path: String, _ bytes: [UInt8]) throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in
      // Removed, not overwritten: who has the old one open keeps the old one.
      try File.remove(path)
      let file = try File.open(path, [.write, .create, .exclusive, .noFollow])
      try file.writeAll(bytes)
    }
  }

  /// Makes a page that has no name: for a task without a runner, in its own process.
  package static func createInMemory(
    number: UInt64, attempt: UInt64, title: String, subtitle: String
  ) throws(JobPageError) -> FileDescriptor {
    let bytes = content(number: number, attempt: attempt, title: title, subtitle: subtitle)
    return try JobPageError.wrapping { () throws(SystemError) in
      try MemoryFile.make(bytes, name: "jobrun-page")
    }
  }

  /// All bytes of the page of an attempt, as the worker finds them.
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
  /// A length and as many bytes of the text as there is room for, in whole characters.
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

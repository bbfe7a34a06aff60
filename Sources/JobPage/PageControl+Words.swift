internal import LinuxSystem

// The local page of a worker on another machine.
extension PageControl {
  /// Writes those words of the worker that differ: an unchanged word is no report.
  package borrowing func show(_ words: PageSnapshot) throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in
      let page = PageBytes(bytes: try file.read(at: 0, maximum: PageLayout.size))
      guard page.bytes.count == PageLayout.size else { return }
      let counts = [
        (PageLayout.total, words.total), (PageLayout.completed, words.completed),
        (PageLayout.reports, words.reports), (PageLayout.quietUntil, words.quietUntil),
      ]
      for (offset, value) in counts where page.word64(offset) != value {
        try file.write(value.littleEndianBytes, at: UInt64(offset))
      }
      if page.word32(PageLayout.unit) != words.unit.rawValue {
        try file.write(words.unit.rawValue.littleEndianBytes, at: UInt64(PageLayout.unit))
      }
      let isSame =
        page.text(PageLayout.title) == words.title
        && page.text(PageLayout.subtitle) == words.subtitle
      if !isSame { try write(words, after: page.word64(PageLayout.textSequence)) }
    }
  }

  /// Writes both texts under their lock: the sequence is odd meanwhile.
  private borrowing func write(
    _ words: PageSnapshot, after sequence: UInt64
  ) throws(SystemError) {
    let odd = sequence | 1
    try file.write(odd.littleEndianBytes, at: UInt64(PageLayout.textSequence))
    for (text, offset) in [
      (words.title, PageLayout.title), (words.subtitle, PageLayout.subtitle),
    ] {
      let bytes = Array(text.utf8.prefix(PageLayout.textBytes))
      try file.write(UInt16(bytes.count).littleEndianBytes + bytes, at: UInt64(offset))
    }
    try file.write((odd &+ 1).littleEndianBytes, at: UInt64(PageLayout.textSequence))
  }
}

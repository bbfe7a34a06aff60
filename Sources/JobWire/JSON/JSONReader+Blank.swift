extension JSONReader {
  /// Skips white space, and comments where people write.
  mutating func skipBlank() throws(JSONSyntaxError) {
    while let byte {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        index += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        index += 1
      case UInt8(ascii: "/") where isForPeople:
        try skipComment()
      default:
        return
      }
    }
  }

  private mutating func skipComment() throws(JSONSyntaxError) {
    let second = index + 1 < bytes.endIndex ? bytes[index + 1] : 0
    switch second {
    case UInt8(ascii: "/"):
      while let byte, byte != UInt8(ascii: "\n") { index += 1 }
    case UInt8(ascii: "*"):
      try skipBlockComment()
    default:
      throw unexpected("a value, a key or a comment")
    }
  }

  private mutating func skipBlockComment() throws(JSONSyntaxError) {
    let start = line
    index += 2
    while let byte {
      if byte == UInt8(ascii: "\n") { line += 1 }
      let isStar = byte == UInt8(ascii: "*")
      index += 1
      if isStar, self.byte == UInt8(ascii: "/") {
        index += 1
        return
      }
    }
    throw JSONSyntaxError(line: start, message: "has a comment that is never closed with */")
  }
}

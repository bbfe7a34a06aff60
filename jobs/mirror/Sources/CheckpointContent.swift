internal import JobFiles

/// The valid content of a checkpoint.
struct CheckpointContent {
  static let mark = "mirror1"

  struct Header: Hashable {
    var source: BytePath
    var target: BytePath
    var partialName: BytePath
  }

  private(set) var header: Header?
  /// Files whose record was written since the machine started.
  ///
  /// Earlier ones may have been lost with the memory of the machine, and are checked again.
  private(set) var trusted: [BytePath: FileStamp] = [:]
  /// The length up to the end of the last complete record, in bytes.
  private(set) var wholeBytes = 0

  private var isOfThisBoot = false

  /// Parses `bytes`; `boot` is the running one.
  init(_ bytes: [UInt8], boot: String) {
    var fields = bytes.split(separator: 0, omittingEmptySubsequences: false)[...]
    // The rest after the last NUL is not a field.
    fields.removeLast()
    while let kind = fields.first.map({ String(decoding: $0, as: UTF8.self) }),
      let count = Self.fieldCount(kind), fields.count > count
    {
      let values = fields.dropFirst().prefix(count).map { BytePath($0) }
      guard take(kind, values, boot: boot) else { return }
      wholeBytes += kind.utf8.count + 1 + values.reduce(0) { $0 + $1.bytes.count + 1 }
      fields = fields.dropFirst(1 + count)
    }
  }

  private static func fieldCount(_ kind: String) -> Int? {
    switch kind {
    case mark: 3
    case "boot": 1
    case "file": 5
    default: nil
    }
  }

  /// False for a malformed record: nothing after it can be trusted.
  private mutating func take(_ kind: String, _ values: [BytePath], boot: String) -> Bool {
    switch kind {
    case Self.mark where header == nil:
      header = Header(source: values[0], target: values[1], partialName: values[2])
    case "boot": isOfThisBoot = values[0] == BytePath(boot)
    case "file":
      guard header != nil, let size = Int64(values[1].description),
        let seconds = Int(values[2].description), let nanoseconds = Int(values[3].description)
      else { return false }
      let stamp = FileStamp(size: size, seconds: seconds, nanoseconds: nanoseconds)
      trusted[values[0]] = isOfThisBoot ? stamp : nil
    default: return false
    }
    return true
  }
}

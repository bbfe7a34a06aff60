package import JobCore
import JobWire

/// Reads a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html)
/// incrementally.
package struct EventStreamReader {
  package enum Item: Hashable, Sendable {
    /// The data of one event, which is JSON.
    case event([UInt8])
    /// Invalid input, described in words.
    case garbage(String)
  }

  /// The id of the last event, from which a request can resume.
  package private(set) var lastID: String
  /// How long the server wants clients to wait after a lost connection.
  package private(set) var pause: Interval?

  private var line: [UInt8] = []
  private var data: [UInt8]?
  private var kind = ""
  private var id: String
  private var isTooLong = false
  private var endsWithReturn = false
  private var isFirst = true

  private static let maximumPause: UInt64 = 3_600_000
  /// The maximum: a longer one does not fit into a request header.
  private static let maximumIDBytes = 1024
  private static let colon = UInt8(ascii: ":")

  package init(after lastID: String = "") {
    self.lastID = lastID
    id = lastID
  }

  /// Takes the next bytes and returns the items that they complete.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [Item] {
    var items: [Item] = []
    for byte in bytes {
      let isSecond = endsWithReturn && byte == 0x0A
      endsWithReturn = byte == 0x0D
      if isSecond { continue }
      if byte == 0x0A || byte == 0x0D {
        endLine(&items)
      } else if line.count <= Limits.pushBytes + 16 {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return items
  }

  private mutating func endLine(_ items: inout [Item]) {
    var text = line[...]
    line = []
    if isFirst, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    isFirst = false
    if text.isEmpty { return endEvent(&items) }
    if text.first == Self.colon { return }
    let name = text.prefix { $0 != Self.colon }
    var value = text.dropFirst(name.count + 1)
    if value.first == 0x20 { value = value.dropFirst() }
    take(String(decoding: name, as: UTF8.self), value, &items)
  }

  private mutating func take(
    _ name: String, _ value: ArraySlice<UInt8>, _ items: inout [Item]
  ) {
    switch name {
    case "data":
      if (data?.count ?? 0) + value.count > Limits.pushBytes { isTooLong = true }
      if !isTooLong { data = (data.map { $0 + [0x0A] } ?? []) + value }
    case "event": kind = String(decoding: value.prefix(64), as: UTF8.self)
    case "id":
      // The id goes into a header of the next request.
      let isClean = value.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      if isClean, value.count <= Self.maximumIDBytes { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      guard let milliseconds = UInt64(String(decoding: value, as: UTF8.self)) else { return }
      pause = .milliseconds(min(milliseconds, Self.maximumPause))
    default: items.append(.garbage("a line that begins with \(name.quoted)"))
    }
  }

  private mutating func endEvent(_ items: inout [Item]) {
    defer { (data, kind, isTooLong) = (nil, "", false) }
    lastID = id
    if isTooLong {
      items.append(.garbage("an event of more than \(Limits.pushBytes) bytes"))
    } else if let data, ["", "message", "push"].contains(kind) {
      do throws(WireError) {
        try PushContent.check(data)
        items.append(.event(data))
      } catch {
        items.append(.garbage("an event whose data is not JSON"))
      }
    }
  }
}

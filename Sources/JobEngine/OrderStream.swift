internal import JobWire

/// Splits the runner's input into orders: lines of JSON, and the bytes that a line announces.
struct OrderStream {
  enum Element {
    case order(EngineOrder, bytes: [UInt8])
    /// A line that is not an order; one sentence says why.
    case nonsense(String)
  }

  private var buffer: [UInt8] = []
  private var start = 0
  /// An order whose bytes have not arrived yet.
  private var awaited: EngineLaunch?

  /// The maximum size of a launch order, in bytes.
  private static let largest = 64 << 20

  mutating func append(_ bytes: [UInt8]) {
    if start > 0 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer += bytes
  }

  /// The next element; nil when more bytes are needed.
  mutating func next() -> Element? {
    if let launch = awaited {
      guard buffer.count - start >= launch.bytes else { return nil }
      defer { start += launch.bytes }
      awaited = nil
      return .order(.launch(launch), bytes: Array(buffer[start..<(start + launch.bytes)]))
    }
    guard let end = buffer[start...].firstIndex(of: 0x0A) else { return nil }
    let line = buffer[start..<end]
    start = end + 1
    do throws(WireError) {
      let order = try EngineOrder(line: line)
      guard case .launch(let launch) = order else { return .order(order, bytes: []) }
      guard (0...Self.largest).contains(launch.bytes),
        (0...launch.bytes).contains(launch.inputBytes)
      else {
        return .nonsense("an order of \(launch.bytes) bytes")
      }
      awaited = launch
      return next()
    } catch {
      return .nonsense(error.message)
    }
  }
}

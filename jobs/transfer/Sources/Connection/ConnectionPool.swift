internal import LazyCurl

/// All connections of one transfer, served by one thread.
@safe
final class ConnectionPool {
  private let library: CurlLibrary
  private let handle: UnsafeMutableRawPointer
  private(set) var connections: [Int: Connection] = [:]
  /// The total rate in bytes a second; nil = unlimited.
  private let speed: Int64?

  init(_ library: CurlLibrary, speed: Int64?) throws(TransferError) {
    guard let handle = library.functions.multi_init() else {
      throw .library("it has no memory")
    }
    self.library = library
    self.speed = speed
    unsafe self.handle = handle
  }

  deinit {
    removeAll()
    _ = unsafe library.functions.multi_cleanup(handle)
  }

  /// Starts the request of `connection`.
  func add(_ connection: Connection) {
    connections[connection.piece] = connection
    share()
    _ = unsafe library.functions.multi_add_handle(handle, connection.handle)
  }

  func removeAll() {
    for connection in connections.values { remove(connection) }
  }

  private func remove(_ connection: Connection) {
    _ = unsafe library.functions.multi_remove_handle(handle, connection.handle)
    connections[connection.piece] = nil
    share()
  }

  /// Divides the rate among the connections.
  private func share() {
    guard let speed else { return }
    for connection in connections.values {
      connection.limit(to: max(1, speed / Int64(connections.count)))
    }
  }

  /// Transfers available data; returns the connections that have ended, with their results.
  func perform() -> [(Connection, CURLcode)] {
    var running: Int32 = 0
    _ = unsafe library.functions.multi_perform(handle, &running)
    var ended: [(Connection, CURLcode)] = []
    var left: Int32 = 0
    while let message = unsafe library.functions.multi_info_read(handle, &left) {
      guard
        let connection = connections.values.first(where: {
          unsafe $0.handle == message.pointee.easy_handle
        })
      else { continue }
      let code = unsafe lazy_curl_result(message)
      if code == CURLE_OK { connection.lookBehindBody() }
      ended.append((connection, code))
      remove(connection)
    }
    let now = SuspendingClock.now
    for connection in connections.values where connection.isExhausted(at: now) {
      ended.append((connection, CURLE_OPERATION_TIMEDOUT))
      remove(connection)
    }
    return ended
  }

  /// Waits until data can be transferred, at most this long.
  func wait(_ span: Duration) {
    let (seconds, attoseconds) = span.components
    let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    _ = unsafe library.functions.multi_poll(handle, nil, 0, milliseconds, nil)
  }
}

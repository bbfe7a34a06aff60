internal import JobCore
internal import JobWire
internal import LazyCurl
internal import LinuxSystem

/// Subscribes to all addresses of definitions, for as long as the runner lives.
@safe
final class EventListener {
  private var sources: PushSources
  private let functions: lazy_curl
  private let handle: UnsafeMutableRawPointer
  private var connections: [EventConnection]
  /// SIGHUP: registered bundles or settings have changed.
  private let changes: SignalDescriptor
  private let output = FileDescriptor(owning: 1)
  private var told = PushTally.Subscriptions()
  private var events = 0

  /// The only event without a descriptor is a reconnection.
  private static let longestWait = Interval.seconds(60)
  /// How many events of an address are passed on at a time, and the pause before the next ones: an endless
  /// stream costs this process and the runner 250 events a second at most.
  private static let (batch, pause) = (25, Interval.milliseconds(100))

  private static var now: Instant { Instant(nanoseconds: AwakeClock.now()) }

  /// Returns when there are no subscriptions; throws a sentence when listening is impossible.
  static func run() throws(WireError) {
    let changes: SignalDescriptor
    do throws(SystemError) {
      changes = try SignalDescriptor([Signal.hangup])
    } catch {
      throw WireError(.unavailable, "\(error)")
    }
    let sources = try PushSources()
    if sources.definitions.isEmpty { return }
    var functions = lazy_curl()
    if let reason = unsafe lazy_curl_load(&functions) {
      throw WireError(
        .unavailable,
        "pushes from addresses need libcurl (Debian's package libcurl4): \(unsafe String(cString: reason))"
      )
    }
    guard functions.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
      let handle = unsafe functions.multi_init()
    else { throw WireError(.unavailable, "libcurl cannot be set up") }
    unsafe EventListener(sources, changes, functions, handle).listen()
  }

  private init(
    _ sources: PushSources, _ changes: consuming SignalDescriptor, _ functions: lazy_curl,
    _ handle: UnsafeMutableRawPointer
  ) {
    self.sources = sources
    self.changes = changes
    self.functions = functions
    unsafe self.handle = handle
    let now = Self.now
    connections = sources.definitions.keys.sorted().map {
      EventConnection($0, functions, at: now)
    }
  }

  private func listen() {
    while true {
      let now = Self.now
      for connection in connections where connection.dueAt.map({ $0 <= now }) ?? false {
        if connection.begin() { _ = unsafe functions.multi_add_handle(handle, connection.handle) }
      }
      var running: Int32 = 0
      _ = unsafe functions.multi_perform(handle, &running)
      endConnections()
      var isBusy = false
      for connection in connections {
        let taken = connection.takeEvents(Self.batch)
        for data in taken { sources.tell(connection.address, data) }
        events += taken.count
        isBusy = isBusy || taken.count == Self.batch
      }
      guard tell() else { return }
      if isBusy {
        let resumption = (Self.now + Self.pause).nanoseconds
        _ = try? Poll.wait(changes.number, until: resumption)
      }
      let next = connections.compactMap(\.dueAt).min().map { $0 > now ? $0 - now : .zero }
      let wait = isBusy ? .zero : min(next ?? Self.longestWait, Self.longestWait)
      var signals = curl_waitfd(fd: changes.number, events: Int16(CURL_WAIT_POLLIN), revents: 0)
      _ = unsafe functions.multi_poll(
        handle, &signals, 1, Int32(clamping: wait.milliseconds + 1), nil)
      if (try? changes.drain())?.isEmpty == false, !readAgain() { return }
    }
  }

  /// Keeps streams that are still wanted; false when there are none.
  private func readAgain() -> Bool {
    // On a read error everything stays as it is.
    guard let now = try? PushSources() else { return true }
    sources = now
    let wanted = Set(now.definitions.keys)
    for connection in connections where !wanted.contains(connection.address) {
      guard let handle = unsafe connection.handle else { continue }
      _ = unsafe functions.multi_remove_handle(self.handle, handle)
      connection.close()
    }
    connections.removeAll { !wanted.contains($0.address) }
    let new = wanted.subtracting(connections.map(\.address))
    connections += new.sorted().map { EventConnection($0, functions, at: Self.now) }
    return !wanted.isEmpty
  }

  private func endConnections() {
    var left: Int32 = 0
    while let message = unsafe functions.multi_info_read(handle, &left) {
      let easy = unsafe message.pointee.easy_handle
      let code = unsafe lazy_curl_result(message)
      guard let connection = connections.first(where: { unsafe $0.handle == easy }) else {
        continue
      }
      _ = unsafe functions.multi_remove_handle(handle, easy)
      let words = unsafe functions.easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
      connection.end(code, words, at: Self.now)
    }
  }

  /// Reports a changed state; false when the runner has closed the pipe.
  private func tell() -> Bool {
    var tally = PushTally.Subscriptions()
    tally.streams = connections.count
    tally.open = connections.count(where: \.isOpen)
    tally.events = events
    tally.garbage = connections.reduce(0) { $0 + $1.garbage }
    tally.trouble =
      connections.compactMap { connection in
        connection.trouble.map { "\(AddressLogin.hidden(in: connection.address)): \($0)" }
      }.last
    guard tally != told else { return true }
    told = tally
    do throws(SystemError) {
      try output.writeAll(tally.line)
      return true
    } catch {
      return false
    }
  }
}

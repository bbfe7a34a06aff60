internal import LinuxSystem

/// A connection to the notification service on the session bus.
///
/// The address is `DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus` (sd_bus_open_user(3)). Calls have
/// the bus's own timeout of 25 s; the parent of this process has a shorter one.
@safe
struct SessionBus: ~Copyable {
  /// `sd_bus_error` of sd-bus(3): two strings and a flag.
  @unsafe
  private struct Failure {
    var name: UnsafePointer<CChar>?
    var message: UnsafePointer<CChar>?
    var needsFree: Int32 = 0
  }

  /// Keeps the functions loaded.
  private let library: DynamicLibrary
  private let functions: BusFunctions
  private let bus: OpaquePointer

  /// Loads sd-bus by name from the usual folders, or from a path, and connects.
  static func connect(library name: String) throws(BusError) -> SessionBus {
    let library: DynamicLibrary
    do throws(DynamicLibrary.Problem) {
      library = try DynamicLibrary(name)
    } catch {
      throw BusError(unusable: error)
    }
    let functions = try BusFunctions(in: library)
    var opened: OpaquePointer?
    let code = unsafe functions.openUser(&opened)
    guard code >= 0, let opened = unsafe opened else {
      throw BusError("the session bus cannot be reached", code: code)
    }
    return unsafe SessionBus(library, functions, opened)
  }

  deinit {
    _ = unsafe functions.closeBus(bus)
  }

  @unsafe
  private init(
    _ library: consuming DynamicLibrary, _ functions: BusFunctions, _ bus: OpaquePointer
  ) {
    self.library = library
    self.functions = functions
    unsafe self.bus = bus
  }

  /// Calls a method of the notification service; `arguments` fills the message, `answer` reads the
  /// reply.
  borrowing func call<Answer>(
    _ method: String, _ arguments: (borrowing BusMessage) throws(BusError) -> Void = { _ in },
    answer: (borrowing BusMessage) throws(BusError) -> Answer
  ) throws(BusError) -> Answer {
    let service = "org.freedesktop.Notifications"
    var made: OpaquePointer?
    let code = unsafe functions.newCall(
      bus, &made, service, "/org/freedesktop/Notifications", service, method)
    guard code >= 0, let made = unsafe made else { throw BusError(method, code: code) }
    let message = unsafe BusMessage(owning: made, functions)
    try arguments(message)
    return try answer(try send(message, method))
  }

  private borrowing func send(
    _ message: borrowing BusMessage, _ method: String
  ) throws(BusError) -> BusMessage {
    var failure = unsafe Failure()
    var reply: OpaquePointer?
    let code = unsafe functions.call(bus, message.handle, 0, &failure, &reply)
    defer { unsafe functions.freeError(&failure) }
    guard code >= 0, let reply = unsafe reply else {
      throw unsafe Self.problem(method, code, failure)
    }
    return unsafe BusMessage(owning: reply, functions)
  }

  private static func problem(_ method: String, _ code: Int32, _ failure: Failure) -> BusError {
    guard let name = unsafe failure.name else { return BusError(method, code: code) }
    let words = unsafe failure.message.map { unsafe String(cString: $0) } ?? "no reason given"
    return BusError("\(words) (\(unsafe String(cString: name)))")
  }
}

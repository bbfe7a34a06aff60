internal import LinuxSystem

/// The functions of sd-bus that notices need, looked up at run time; none of them is variadic.
///
/// Signatures: sd-bus(3), of systemd 221 (2015) and later. Valid while the library is loaded.
@safe
struct BusFunctions {
  typealias Handle = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias Release = @convention(c) (Handle?) -> Handle?

  let openUser: @convention(c) (UnsafeMutablePointer<Handle?>) -> Int32
  let closeBus: Release
  let newCall:
    @convention(c) (Handle, UnsafeMutablePointer<Handle?>, Text, Text, Text, Text) -> Int32
  let append: @convention(c) (Handle, CChar, UnsafeRawPointer?) -> Int32
  let openContainer: @convention(c) (Handle, CChar, Text) -> Int32
  let closeContainer: @convention(c) (Handle) -> Int32
  let call:
    @convention(c) (Handle, Handle, UInt64, UnsafeMutableRawPointer, UnsafeMutablePointer<Handle?>)
      -> Int32
  let read: @convention(c) (Handle, CChar, UnsafeMutableRawPointer?) -> Int32
  let enterContainer: @convention(c) (Handle, CChar, Text) -> Int32
  let releaseMessage: Release
  let freeError: @convention(c) (UnsafeMutableRawPointer) -> Void

  init(in library: borrowing DynamicLibrary) throws(BusError) {
    unsafe openUser = try Self.function("sd_bus_open_user", in: library)
    unsafe closeBus = try Self.function("sd_bus_flush_close_unref", in: library)
    unsafe newCall = try Self.function("sd_bus_message_new_method_call", in: library)
    unsafe append = try Self.function("sd_bus_message_append_basic", in: library)
    unsafe openContainer = try Self.function("sd_bus_message_open_container", in: library)
    unsafe closeContainer = try Self.function("sd_bus_message_close_container", in: library)
    unsafe call = try Self.function("sd_bus_call", in: library)
    unsafe read = try Self.function("sd_bus_message_read_basic", in: library)
    unsafe enterContainer = try Self.function("sd_bus_message_enter_container", in: library)
    unsafe releaseMessage = try Self.function("sd_bus_message_unref", in: library)
    unsafe freeError = try Self.function("sd_bus_error_free", in: library)
  }

  private static func function<Function>(
    _ name: String, in library: borrowing DynamicLibrary
  ) throws(BusError) -> Function {
    do throws(DynamicLibrary.Problem) {
      return unsafe unsafeBitCast(try library.symbol(name), to: Function.self)
    } catch {
      throw BusError(unusable: error)
    }
  }
}

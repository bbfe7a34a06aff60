/// One request on its way: given to the library with the first call, and taken back with the last.
@safe
final class Exchange {
  /// The feed that it is answered with; nil for any other answer.
  var stream: EventStream?
  /// For the library.
  let connection: OpaquePointer
  /// Of the connection; nil until the request has come as a whole.
  var descriptor: Int32?

  init(_ connection: OpaquePointer) {
    unsafe self.connection = connection
  }
}

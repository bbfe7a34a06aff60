import JobStore
import JobWire

extension StoreError {
  /// The error code for clients: try again (73), or an internal fault (70).
  var code: ErrorCode { isTransient ? .cannotCreate : .internal }
}

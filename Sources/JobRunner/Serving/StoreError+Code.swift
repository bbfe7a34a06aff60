import JobStore
import JobWire

extension StoreError {
  /// What a client is told: that it may try again (73), or that it met a fault (70).
  var code: ErrorCode { isTransient ? .cannotCreate : .internal }
}

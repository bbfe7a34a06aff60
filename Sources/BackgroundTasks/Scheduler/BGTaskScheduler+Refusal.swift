internal import JobCore
internal import JobWire

extension BGTaskScheduler.Error {
  /// The refusal of a runner, or of the core, with Apple's code for it.
  init(_ error: WireError) {
    self.init(Code(error.code), error.message)
  }

  init(_ refusal: Refusal) {
    self.init(WireError(refusal))
  }

  /// Runs a body that throws this error, and throws it as an `NSError`, as in Apple's API.
  static func bridged(_ body: () throws(Self) -> Void) throws {
    do throws(Self) { try body() } catch { throw error._nsError }
  }
}

extension BGTaskScheduler.Error.Code {
  /// Apple has four codes; other errors get the closest one.
  init(_ code: ErrorCode) {
    self =
      switch code {
      case .tooManyPendingTaskRequests: .tooManyPendingTaskRequests
      case .notPermitted, .notFound, .usage: .notPermitted
      case .immediateRunIneligible, .alreadyRunning: .immediateRunIneligible
      case .unavailable, .internal, .cannotCreate, .badFrame, .unknownOperation,
        .badConfiguration:
        .unavailable
      }
  }
}

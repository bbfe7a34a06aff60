internal import JobCore
internal import JobWire

extension BGTaskScheduler.Error {
  /// What a runner, or the core, refused, under Apple's code for it.
  init(_ error: WireError) {
    self.init(Code(error.code), error.message)
  }

  init(_ refusal: Refusal) {
    self.init(WireError(refusal))
  }

  /// Runs what throws this error, and throws it as the `NSError` that it is at Apple.
  static func bridged(_ body: () throws(Self) -> Void) throws {
    do throws(Self) { try body() } catch { throw error._nsError }
  }
}

extension BGTaskScheduler.Error.Code {
  /// Apple has four codes; what it has none for is closest to these.
  init(_ code: ErrorCode) {
    self =
      switch code {
      case .tooManyPendingTaskRequests: .tooManyPendingTaskRequests
      case .notPermitted, .notFound, .usage: .notPermitted
      case .immediateRunIneligible, .alreadyRunning: .immediateRunIneligible
      case .unavailable, .internal, .cannotCreate, .badFrame, .unknownOperation: .unavailable
      }
  }
}

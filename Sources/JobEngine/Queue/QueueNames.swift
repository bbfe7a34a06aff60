internal import JobCore
package import JobWire

/// The names of an engine's jobs in a queue: `jobrun.STORE.ENGINE.JOB.ATTEMPT`, and
/// `jobrun.STORE.ENGINE.bBATCH` for an array.
///
/// Other engines of the same store, other stores and other programs have jobs in that queue, too: only a
/// name of this form, with this store and this engine, was given by this engine.
package struct QueueNames {
  package enum Subject: Hashable {
    case attempt(EngineAttempt)
    /// The name of the array's list.
    case batch(String)
  }

  private let prefix: String

  package init(store: String, engine: String) { prefix = "jobrun.\(store).\(engine)." }

  package func name(of attempt: EngineAttempt) -> String { prefix + Self.short(attempt) }

  /// `batch`: the name of its list.
  package func name(ofBatch batch: String) -> String { prefix + batch }

  static func short(_ attempt: EngineAttempt) -> String { "\(attempt.job).\(attempt.attempt)" }

  /// The attempt or array of a name; nil for a name that this engine has not given.
  package func subject(of name: String) -> Subject? {
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    let rest = name.utf8.dropFirst(prefix.utf8.count)
    let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { Substring($0) }
    switch parts.count {
    case 1:
      guard let batch = parts[0].utf8.first, batch == UInt8(ascii: "b"),
        parts[0].utf8.dropFirst().allSatisfy({ $0.isHexadecimal }), parts[0].utf8.count > 1
      else { return nil }
      return .batch(String(parts[0]))
    case 2:
      guard let job = UInt64(parts[0]), let attempt = Int(parts[1]) else { return nil }
      let found = EngineAttempt(JobNumber(job), attempt)
      // `+7` and `007` parse as numbers, but are not names that we give.
      return name == self.name(of: found) ? .attempt(found) : nil
    default: return nil
    }
  }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
  }
}

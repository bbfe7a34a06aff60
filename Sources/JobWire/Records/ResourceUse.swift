import JobCore

/// What a job's processes have used in the attempts that have ended, as far as that is known.
package struct ResourceUse: Hashable, Sendable {
  /// User and system time of the whole tree.
  package var cpuMicroseconds: UInt64?
  package var maxResidentBytes: UInt64?
  /// From disks; nil where nothing was read, or it is not known.
  package var bytesRead: UInt64?
  /// To disks.
  package var bytesWritten: UInt64?
  /// Of the energy of the processors, by the share of their work; nil where the machine does not measure it.
  package var processorMillijoules: UInt64?
  /// Energy of its GPUs while it held them, including any use by others.
  ///
  /// Known after the last attempt, and taken out for the next one to be added.
  package var gpuMillijoules: UInt64?
  /// The others, as far as they are known.
  private var counts: [UseCounter: UInt64] = [:]

  package init() {}

  package subscript(_ counter: UseCounter) -> UInt64? {
    get { counts[counter] }
    set { counts[counter] = newValue }
  }

  /// Adds the use of another attempt.
  ///
  /// `isFirst`: there was none before. The energy is unknown if that of one attempt is.
  package mutating func add(_ other: ResourceUse, isFirst: Bool) {
    let before = isFirst ? 0 : processorMillijoules
    processorMillijoules = before.flatMap { sum in
      other.processorMillijoules.map { sum.addedHeld($0) }
    }
    cpuMicroseconds = Self.sum(cpuMicroseconds, other.cpuMicroseconds)
    bytesRead = Self.sum(bytesRead, other.bytesRead)
    bytesWritten = Self.sum(bytesWritten, other.bytesWritten)
    for (counter, count) in other.counts { counts[counter] = Self.sum(counts[counter], count) }
    maxResidentBytes =
      other.maxResidentBytes.map { max($0, maxResidentBytes ?? 0) } ?? maxResidentBytes
  }

  private static func sum(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
    guard let one, let other else { return one ?? other }
    return one.addedHeld(other)
  }
}

// In the units that people read.
extension ResourceUse {
  package var cpuSeconds: Double? {
    get { cpuMicroseconds.map { Double($0) / 1_000_000 } }
    set { cpuMicroseconds = newValue.map { Self.whole($0 * 1_000_000) } }
  }

  package var processorJoules: Double? {
    get { processorMillijoules.map { Double($0) / 1_000 } }
    set { processorMillijoules = newValue.map { Self.whole($0 * 1_000) } }
  }

  package var gpuJoules: Double? {
    get { gpuMillijoules.map { Double($0) / 1_000 } }
    set { gpuMillijoules = newValue.map { Self.whole($0 * 1_000) } }
  }

  private static func whole(_ number: Double) -> UInt64 {
    UInt64(max(0, min(number, 9e18)).rounded())
  }
}

extension ResourceUse {
  /// Its fields of a job's record.
  mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&cpuMicroseconds, "cpuUs")
    try coder.code(&maxResidentBytes, "maxResidentBytes")
    try coder.code(&bytesRead, "bytesRead")
    try coder.code(&bytesWritten, "bytesWritten")
    try coder.code(&processorMillijoules, "processorMj")
    try coder.code(&gpuMillijoules, "gpuMj")
    try codeCounters(with: &coder, null: false)
  }

  /// Those that have one name everywhere.
  mutating func codeCounters<Coder: FieldCoder>(
    with coder: inout Coder, null: Bool
  ) throws(Coder.Failure) {
    for counter in UseCounter.allCases { try coder.code(&self[counter], counter.field, null: null) }
  }
}

/// A counter of use that is added up over attempts; it is in the store, in JSON, in the manual and in `show`
/// once it stands here.
package enum UseCounter: Hashable, Sendable, CaseIterable {
  case bytesSent

  /// In records and in a job's JSON.
  package var field: StaticString {
    switch self {
    case .bytesSent: "bytesSent"
    }
  }

  /// For the guide to the JSON.
  package var meaning: String {
    switch self {
    case .bytesSent:
      "bytes sent to the network; null if none, or where the kernel does not count them"
    }
  }

  /// In `show`.
  package var name: String {
    switch self {
    case .bytesSent: "sent to the network"
    }
  }

  /// For people.
  package func text(_ count: UInt64) -> String {
    switch self {
    case .bytesSent: QuantityText.bytes(count)
    }
  }
}

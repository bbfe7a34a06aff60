/// The flags of one command line with their values, the last one given of each.
///
/// Searched linearly: initialising a dictionary of this type took a tenth of a submission's time.
struct FlagValues: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    let flag: Flag
    var value: Invocation.Value
  }

  private var entries: [Entry] = []

  /// All that were given.
  var all: [(Flag, Invocation.Value)] { entries.map { ($0.flag, $0.value) } }

  /// Nil for a flag that was not given.
  subscript(flag: Flag) -> Invocation.Value? {
    get { entries.first { $0.flag == flag }?.value }
    set {
      entries.removeAll { $0.flag == flag }
      if let newValue { entries.append(Entry(flag: flag, value: newValue)) }
    }
  }
}

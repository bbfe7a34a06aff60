/// A caller that waits until an embedded scheduler's records meet a condition.
struct EmbeddedWatch: Sendable {
  var isMet: @Sendable ([BGTaskRecord]) -> Bool
  var action: @Sendable () -> Void
}

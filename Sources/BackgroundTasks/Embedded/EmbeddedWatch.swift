/// Somebody who waits until the records of an embedded scheduler show something.
struct EmbeddedWatch: Sendable {
  var isMet: @Sendable ([BGTaskRecord]) -> Bool
  var action: @Sendable () -> Void
}

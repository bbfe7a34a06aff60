/// What delegates of apps derive from, so that their files can be compiled; after UIKit's class of this
/// name.
@preconcurrency @MainActor
open class UIResponder {
  /// A responder.
  public required init() {}

  /// Of what is there before any actor is.
  nonisolated init(beside: ()) {}
}

/// The superclass of apps' delegates, so that their files compile; after UIKit's class of this name.
@preconcurrency @MainActor
open class UIResponder {
  /// A responder.
  public init() {}

  /// For objects that exist before any actor.
  nonisolated init(beside: ()) {}
}

/// Makes objects of a class that is known only at run time.
///
/// A delegate may declare `override init()`, as on iOS, where the Objective-C runtime finds that by its name;
/// so it is not required, and Swift cannot make an object by it. The initialiser has the same position in the
/// class's table of functions as that of `UIResponder`: both classes are root classes and begin with it.
@preconcurrency @MainActor
open class UIResponderConstruction {
  /// A placeholder for the class's own initialiser.
  public required init() {}

  /// An object of `type`, by its own `init()`.
  static func make<Responder: UIResponder>(_ type: Responder.Type) -> Responder {
    let construction = unsafe unsafeBitCast(
      type as UIResponder.Type, to: UIResponderConstruction.Type.self)
    return unsafe unsafeDowncast(construction.init(), to: Responder.self)
  }
}

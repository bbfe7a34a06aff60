/// What delegates of apps derive from, so that their files can be compiled; after UIKit's class of this
/// name.
@preconcurrency @MainActor
open class UIResponder {
  /// A responder.
  public init() {}

  /// Of what is there before any actor is.
  nonisolated init(beside: ()) {}
}

/// Makes objects of a class that is known only when the program runs.
///
/// A delegate may say `override init()`, as on iOS, where the runtime of another language finds that by its name;
/// so it is not required, and Swift makes no object by it. The initialiser stands where that of `UIResponder` stands
/// among the functions of a class: both classes derive from none and begin with it.
@preconcurrency @MainActor
open class UIResponderConstruction {
  /// Stands in for the initialiser of the class in question.
  public required init() {}

  /// An object of `type`, by its own `init()`.
  static func make<Responder: UIResponder>(_ type: Responder.Type) -> Responder {
    let construction = unsafe unsafeBitCast(
      type as UIResponder.Type, to: UIResponderConstruction.Type.self)
    return unsafe unsafeDowncast(construction.init(), to: Responder.self)
  }
}

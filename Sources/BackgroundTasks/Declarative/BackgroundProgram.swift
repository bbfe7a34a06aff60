/// A program that declares its background work; after SwiftUI's `App`.
///
/// With `@main` it is the whole program of a job: it registers the handlers in `body` and runs the task that
/// the process was launched for.
@MainActor
public protocol BackgroundProgram {
  /// The type of `body`.
  associatedtype Body: BackgroundScene

  /// Made once, at the start.
  init()

  /// The handlers.
  var body: Body { get }
}

extension BackgroundProgram {
  /// Registers the handlers, runs the task and ends the process.
  ///
  /// See `BGTaskScheduler.runUntilComplete()` for how it ends.
  public static func main() {
    Self().body.register(in: .shared)
    BGTaskScheduler.shared.runUntilComplete()
  }
}

internal import Synchronization

/// A program that a person may start and the runner launches for its tasks; after SwiftUI's protocol of
/// this name.
public protocol App: BackgroundProgram {}

extension App {
  /// Registers the handlers; then runs the task that the process was launched for, or stays until the
  /// person leaves.
  public static func main() {
    UIApplication.shared.run(Self.self)
  }
}

extension UIApplication {
  fileprivate func run<Program: App>(_ program: Program.Type) -> Never {
    let handlers = BGTaskScheduler.shared.handlers
    handlers.awaitsScenes.store(true, ordering: .releasing)
    let app = program.init()
    app.body.register(in: .shared)
    handlers.awaitsScenes.store(false, ordering: .releasing)
    observer = SceneObserver { app.body }
    run()
  }
}

/// Handlers that are declared together; under SwiftUI's name.
public typealias Scene = BackgroundScene

/// The scene on which an app's handlers are declared; after SwiftUI's type of this name, without the
/// windows.
public struct WindowGroup: BackgroundScene {
  /// The scene; the content of its windows is never evaluated.
  public init<Content>(_ content: () -> Content) {}

  /// The same; its name is not asked for either.
  public init<Content>(id: String, _ content: () -> Content) {}

  /// The same with a title.
  public init<Content>(_ title: some StringProtocol, id: String = "", _ content: () -> Content) {}

  /// Has no effect.
  public func register(in scheduler: BGTaskScheduler) {}
}

internal import Dispatch

/// Handlers that are declared together; after SwiftUI's `Scene`, as far as that is about them.
public protocol BackgroundScene: Sendable {
  /// Registers the handlers of this scene.
  func register(in scheduler: BGTaskScheduler)
}

/// The scene without any handler, on which the first is declared.
public struct Background: BackgroundScene {
  /// The scene.
  public init() {}

  /// Has no effect.
  public func register(in scheduler: BGTaskScheduler) {}
}

extension BackgroundScene {
  /// Declares the handler of an identifier's tasks; after SwiftUI's modifier.
  ///
  /// The task is completed when `action` returns and fails when it throws; when the task is out of time, its
  /// Swift task is cancelled. `BGTask.current` is the task. If several actions are declared for one identifier,
  /// all run at the same time, and the task is completed when they have returned.
  public func backgroundTask<Request, Response>(
    _ task: BackgroundTask<Request, Response>,
    action: @escaping @Sendable (Request) async throws -> Response
  ) -> some BackgroundScene {
    SceneWithTask(content: self, task: task, action: action)
  }
}

private struct SceneWithTask<Content: BackgroundScene, Request: Sendable, Response: Sendable>:
  ObservingScene
{
  let content: Content
  let task: BackgroundTask<Request, Response>
  let action: @Sendable (Request) async throws -> Response

  var changes: [any SceneChange] { content.observed }

  func register(in scheduler: BGTaskScheduler) {
    content.register(in: scheduler)
    switch task.target {
    case .tasks(let declared, let request):
      guard let identifier = declared ?? scheduler.launchedPush else { return }
      let body: Registration.Function = { [action] in _ = try await action(try request($0)) }
      scheduler.handlers.declare(identifier, body)
    case .sessions(let matches, let request):
      scheduler.sessionEvents.add(
        SessionEvents.Handler(matches: matches) { [action] session in
          _ = try await action(request(session))
        })
    }
  }
}

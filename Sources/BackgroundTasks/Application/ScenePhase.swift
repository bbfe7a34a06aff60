/// Whether a person uses the app; after SwiftUI's type of this name.
public enum ScenePhase: Comparable, Hashable, Sendable {
  /// The runner launched the process for a task, or the person has left the program.
  case background
  /// The program is starting, or the person is leaving it.
  case inactive
  /// A person has started the program and not left it.
  case active
}

/// Values that a scene reads from its environment; after SwiftUI's type of this name, with the one for
/// background work.
public struct EnvironmentValues: Sendable {
  /// Whether a person uses the app.
  public var scenePhase: ScenePhase
}

/// Reads a value of an app's surroundings, as in `@Environment(\.scenePhase) private var phase`; after
/// SwiftUI's type of this name.
@propertyWrapper @MainActor
public struct Environment<Value> {
  private let path: KeyPath<EnvironmentValues, Value>

  /// A reader of the value at `path`.
  public init(_ path: KeyPath<EnvironmentValues, Value>) {
    self.path = path
  }

  /// The value now.
  public var wrappedValue: Value {
    EnvironmentValues(scenePhase: UIApplication.shared.scenePhase)[keyPath: path]
  }
}

extension BackgroundScene {
  /// Calls `action` with the new value whenever `value` has changed; after SwiftUI's modifier.
  ///
  /// The app's `body` is evaluated again for each change of the scene phase, which is when values change.
  @MainActor
  public func onChange<Value: Equatable & Sendable>(
    of value: Value, perform action: @escaping @MainActor (Value) -> Void
  ) -> some BackgroundScene {
    SceneWithChange(
      content: self,
      change: ObservedValue(value: value, isInitial: false) { _, new in action(new) })
  }

  /// Calls `action` with the old and the new value whenever `value` has changed and, with `initial`, at
  /// the start; after SwiftUI's modifier.
  @MainActor
  public func onChange<Value: Equatable & Sendable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor (Value, Value) -> Void
  ) -> some BackgroundScene {
    SceneWithChange(
      content: self, change: ObservedValue(value: value, isInitial: initial, action: action))
  }

  /// Calls `action` whenever `value` has changed and, with `initial`, at the start; after SwiftUI's
  /// modifier.
  @MainActor
  public func onChange<Value: Equatable & Sendable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor () -> Void
  ) -> some BackgroundScene {
    SceneWithChange(
      content: self,
      change: ObservedValue(value: value, isInitial: initial) { _, _ in action() })
  }
}

/// A scene that may observe values, itself or in its content.
protocol ObservingScene: BackgroundScene {
  /// The values, in the order in which they are declared.
  @MainActor var changes: [any SceneChange] { get }
}

extension BackgroundScene {
  @MainActor var observed: [any SceneChange] { (self as? any ObservingScene)?.changes ?? [] }
}

private struct SceneWithChange<Content: BackgroundScene>: ObservingScene {
  let content: Content
  let change: any SceneChange

  func register(in scheduler: BGTaskScheduler) { content.register(in: scheduler) }

  var changes: [any SceneChange] { content.observed + [change] }
}

/// An observed value.
@MainActor
protocol SceneChange: Sendable {
  /// Tells of the difference to the same value of an earlier body; nil at the start.
  func tell(since earlier: (any SceneChange)?)
}

private struct ObservedValue<Value: Equatable & Sendable>: SceneChange {
  let value: Value
  let isInitial: Bool
  let action: @MainActor (Value, Value) -> Void

  func tell(since earlier: (any SceneChange)?) {
    if let earlier = earlier as? Self {
      if earlier.value != value { action(earlier.value, value) }
    } else if isInitial {
      action(value, value)
    }
  }
}

/// Re-evaluates an app's body for each change of its environment, and reports the changes.
@MainActor
final class SceneObserver {
  private let body: @MainActor () -> any BackgroundScene
  private var known: [any SceneChange]

  init(_ body: @escaping @MainActor () -> any BackgroundScene) {
    self.body = body
    known = body().observed
    for change in known { change.tell(since: nil) }
  }

  func update() {
    let changes = body().observed
    let earlier = known
    known = changes
    for (index, change) in changes.enumerated() {
      change.tell(since: earlier.indices.contains(index) ? earlier[index] : nil)
    }
  }
}

internal import JobCore
internal import Synchronization

/// The handlers of one scheduler by identifier and pattern.
final class HandlerTable: Sendable {
  private let registrations = Mutex<[IdentifierPattern: Registration]>([:])
  /// Bodies that scenes declare, by identifier.
  private let declared = Mutex<[String: [Registration.Function]]>([:])
  /// True while an app is initialized, whose scenes declare their handlers after that.
  let awaitsScenes = Atomic<Bool>(false)
  /// Why a pattern is not this program's to use; nil = it is.
  private let obstacle = Mutex<@Sendable (IdentifierPattern) -> String?>({ _ in nil })

  /// Asks `body` of each pattern before it is registered.
  func refuse(_ body: @escaping @Sendable (IdentifierPattern) -> String?) {
    obstacle.withLock { $0 = body }
  }

  /// Registers an action of a scene, beside the identifier's existing ones.
  func declare(_ identifier: String, _ body: @escaping Registration.Function) {
    let bodies = declared.withLock { declared in
      declared[identifier, default: []].append(body)
      return declared[identifier]?.count ?? 0
    }
    guard bodies == 1 else { return }
    _ = register(
      identifier,
      Registration(
        body: .function { task in
          let all = self.declared.withLock { $0[identifier] ?? [] }
          try await withThrowingTaskGroup(of: Void.self) { group in
            for body in all { group.addTask { try await body(task) } }
            try await group.waitForAll()
          }
        }))
  }

  /// False, with a line in the log, when the identifier is malformed, another bundle's, or has a handler.
  func register(_ identifier: String, _ registration: Registration) -> Bool {
    guard let pattern = IdentifierPattern(identifier) else {
      StandardError.say(IdentifierPattern.problem(in: identifier) ?? "\(identifier) is malformed")
      return false
    }
    if let why = obstacle.withLock({ $0 })(pattern) {
      StandardError.say(why)
      return false
    }
    let isNew = registrations.withLock { registrations in
      guard registrations[pattern] == nil else { return false }
      registrations[pattern] = registration
      return true
    }
    if !isNew {
      StandardError.say("\(identifier) already has a handler; the second registration is ignored")
    }
    return isNew
  }

  /// The patterns that have a handler, in order.
  var patterns: [String] { registrations.withLock { $0.keys.map(\.text).sorted() } }

  /// The most specific handler for this identifier.
  func registration(for identifier: JobIdentifier) -> Registration? {
    registrations.withLock { registrations in
      IdentifierPattern.best(for: identifier, among: Array(registrations.keys))
        .flatMap { registrations[$0] }
    }
  }

  /// Checks that a submitted identifier has a handler, or may get one from a scene.
  ///
  /// - Throws: `notPermitted`, as `registration(forSubmitted:)` does.
  func checkHandler(forSubmitted text: String) throws(BGTaskScheduler.Error) {
    if awaitsScenes.load(ordering: .acquiring), JobIdentifier(text) != nil { return }
    _ = try registration(forSubmitted: text)
  }

  /// The handler for a submitted identifier.
  ///
  /// - Throws: `notPermitted` when the identifier is malformed or has no handler.
  func registration(forSubmitted text: String) throws(BGTaskScheduler.Error) -> Registration {
    guard let identifier = JobIdentifier(text) else {
      throw BGTaskScheduler.Error(
        .notPermitted, JobIdentifier.problem(in: text) ?? "\(text) is not an identifier")
    }
    guard let registration = registration(for: identifier) else {
      if let pattern = IdentifierPattern(text), let why = obstacle.withLock({ $0 })(pattern) {
        throw BGTaskScheduler.Error(.notPermitted, why)
      }
      let known = patterns.isEmpty ? "none at all" : patterns.joined(separator: ", ")
      throw BGTaskScheduler.Error(
        .notPermitted,
        "\(text) has no handler; register one before the submission (registered: \(known))")
    }
    return registration
  }
}

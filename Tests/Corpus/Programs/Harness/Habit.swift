import BackgroundTasks

/// One way in which real code uses the framework, as a program that judges itself.
struct Habit: Sendable {
  /// What the test calls it; also the label in the identifiers of its tasks.
  var name: String
  /// What the app does when it is launched, by a person or for a task.
  var launch: @MainActor @Sendable () -> Void
  /// What a person does then, and what must have come of it.
  var use: @MainActor @Sendable (Stage) async throws -> Void

  static let all =
    wrapping + managing + owning + working + completing + resubmitting + submitting + bridging
    + failing + trying

  /// The one whose task this process was launched for, or that it is asked for.
  static func chosen(_ arguments: [String], _ environment: [String: String]) -> Habit? {
    let label = environment["JOBRUN_IDENTIFIER"]?.split(separator: ".").dropFirst(3).first
    let name = label.map(String.init) ?? arguments.dropFirst().first
    return all.first { $0.name == name }
  }
}

import BackgroundTasks

/// One way in which real code uses the framework, as a program that judges itself.
struct Habit: Sendable {
  /// Its name in the test; also the label in the identifiers of its tasks.
  var name: String
  /// The app's code at its launch, by a person or for a task.
  var launch: @MainActor @Sendable () -> Void
  /// The person's actions after that, and checks of the result.
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

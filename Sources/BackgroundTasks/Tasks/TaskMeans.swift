internal import Foundation

/// A task's resources, and the state of its earlier attempts.
struct TaskMeans: Hashable, Sendable {
  /// Leased GPUs by UUID.
  var gpus: [String] = []
  var stateDirectory: URL?
  /// From 1.
  var attempt = 1

  init() {}

  init(gpus: [String], stateDirectory: String, attempt: Int) {
    self.gpus = gpus
    self.stateDirectory = URL(fileURLWithPath: stateDirectory, isDirectory: true)
    self.attempt = attempt
  }

  /// From the environment of a process that the runner launched for the task.
  init(_ environment: [String: String]) {
    // A person's own variable may have numbers; the runner gives names, as `GPU-8c18…`.
    gpus = (environment["CUDA_VISIBLE_DEVICES"] ?? "").split(separator: ",").map(String.init)
      .filter { $0.contains("-") }
    stateDirectory = environment["JOBRUN_STATE_DIR"].map {
      URL(fileURLWithPath: $0, isDirectory: true)
    }
    attempt = environment["JOBRUN_ATTEMPT"].flatMap(Int.init) ?? 1
  }
}

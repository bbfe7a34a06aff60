import JobCore
import JobWire

/// One attempt that is with an engine, or on its way there.
final class RemoteAttempt {
  let name: EngineAttempt
  let engine: String
  /// The order to send; nil once it is sent, or was by an earlier runner.
  var order: [UInt8]?
  /// UUIDs of the GPUs that were chosen for it.
  var gpus: [String] = []
  /// Attempts are sent in the order of their places.
  var place: UInt64 = 0
  /// Sent to a helper: from now on only reports of the engine decide about it.
  var isSent = false
  var hasStarted = false
  /// Whether the current helper has accepted it; a new helper would have to adopt it.
  var isAccepted = false
  var isAdopted = false
  var pagePath = ""
  /// The machine on which it runs.
  var node: String?
  /// The sequence of the last look that was taken in.
  var sequence: UInt64 = 0
  /// When it is withdrawn unless it has begun, and whether it was.
  var startBy: Instant?
  var isLate = false
  var stop: (reason: StopReason, deadline: Instant)?
  /// When it was killed first.
  var killedAt: Instant?
  /// When the engine was told about a watcher, and when to repeat that.
  var watchedAt: Instant?
  var watchAgainAt: Instant?
  var log: RemoteLog?
  /// Its end came before all of that, which was asked for once more.
  var hasAskedForRest = false
  /// Its progress over time; nil = none recorded yet.
  var trace: TraceFile?
  var observer = ProgressObserver()
  /// The last declaration of the worker.
  var declared = RunEnd.Declared.nothing

  /// The files that it needs are there.
  var hasFiles = false
  /// Its files on their way; nil = none are.
  var transfer: FileTransfer?
  /// When to try that again after a failure, and how long to wait after the next one.
  var transferAgainAt: Instant?
  var transferPause = Interval.seconds(2)
  /// It has succeeded there, and its files are being fetched.
  var success: (record: String, message: String)?

  init(_ name: EngineAttempt, engine: String) {
    self.name = name
    self.engine = engine
  }

  /// For a helper that takes it over.
  var adoption: EngineAdoption {
    EngineAdoption(name, logBytes: log?.received ?? 0, hasStarted: hasStarted)
  }
}

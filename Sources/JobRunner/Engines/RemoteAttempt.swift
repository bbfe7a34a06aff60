import JobCore
import JobWire

/// One attempt that is with an engine, or on its way there.
final class RemoteAttempt {
  let name: EngineAttempt
  let engine: String
  /// What is to be handed over; nil once it is, or was by an earlier runner.
  var order: [UInt8]?
  /// Those that came before it are handed over before it.
  var place: UInt64 = 0
  /// A helper was told of it: only what the engine says decides about it from now on.
  var isSent = false
  var hasStarted = false
  /// A helper took it and lives on; another one was to find it.
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
  /// When whoever runs it was told that somebody watches, and is to be told again.
  var watchedAt: Instant?
  var watchAgainAt: Instant?
  var log: RemoteLog?
  /// Its end came before all of that, which was asked for once more.
  var hasAskedForRest = false
  /// How far it was at which time; nil = nothing was taken down yet.
  var trace: TraceFile?
  var witness = ProgressObserver()
  /// What the worker declared last.
  var declared = RunEnd.Declared.nothing

  init(_ name: EngineAttempt, engine: String) {
    self.name = name
    self.engine = engine
  }

  /// For a helper that is to go on with it.
  var adoption: EngineAdoption {
    EngineAdoption(name, logBytes: log?.received ?? 0, hasStarted: hasStarted)
  }
}

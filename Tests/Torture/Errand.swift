import JobCore
import JobWire
import LinuxSystem
import TestKit

/// One job: its request, and the output of its command, which may have submitted more.
final class Errand {
  /// Its title, by which store and ledger identify it.
  let name: String
  let kind: Kind
  /// The worker's arguments.
  let seconds: String
  let code: Int32
  /// The command stays and watches the job to its end.
  let isWatched: Bool
  private let command: Command
  /// Among the jobs of its command, from 1.
  private let place: Int
  /// When the command will be killed, on `AwakeClock`; nil = never.
  private var killAt: UInt64?
  private(set) var wasKilled = false
  /// Whether it is one of several.
  private let isMember: Bool
  private(set) var finished: Command.Finished?

  init(_ plan: Plan, _ command: Command, place: Int = 1) {
    name = plan.count > 1 ? "\(plan.name) \(place)" : plan.name
    isMember = plan.count > 1
    self.place = place
    kind = plan.kind
    seconds = plan.seconds
    code = plan.code
    isWatched = plan.isWatched
    self.command = command
    killAt = plan.killAfter.map { AwakeClock.now() + $0 }
  }

  /// Kills the command when that is due and collects its end; whether it was killed just now.
  func attend() throws -> Bool {
    guard finished == nil else { return false }
    var isKilled = false
    if let due = killAt, due <= AwakeClock.now() {
      killAt = nil
      if command.isRunning {
        command.signal(Signal.kill)
        isKilled = true
        wasKilled = true
      }
    }
    if !command.isRunning {
      finished = try command.wait()
      // Another of its jobs has killed it.
      if isMember, finished?.status == nil { wasKilled = true }
    }
    return isKilled
  }

  /// The number that the command printed, which it does only for an accepted job.
  var toldNumber: JobNumber? {
    guard let line = finished?.output.split(separator: "\n").first,
      let digits = line.split(whereSeparator: { $0 == " " || $0 == "-" }).first,
      let number = UInt64(digits)
    else { return nil }
    return JobNumber(number + UInt64(place - 1))
  }

  /// The command met so many dead runners in a row that it gave up, with a message.
  var gaveUp: Bool { finished?.errors.contains("the runner broke the connection") ?? false }

  /// The job was refused for lack of a resource, such as disk space.
  var wasRefused: Bool { finished?.status == ExitCode.cannotCreate }

  var story: String {
    """
    \(name): \(kind.rawValue) \(seconds) \(code)\(isWatched ? ", watched" : "")\
    \(wasKilled ? ", its command was killed" : "")
    command: \(finished.map { "\($0.ending)\n\($0.output)\($0.errors)" } ?? "still running")
    """
  }
}

/// A planned submission.
struct Plan {
  var name: String
  var kind: Kind
  var seconds: String
  var code: Int32
  var isWatched: Bool
  /// The jobs of the submission.
  var count = 1
  var priority = Submission.Priority.normal
  /// It runs there; nil = here.
  var engine: String?
  /// It waits for the slots of that group.
  var group: String?
  /// It waits to be released.
  var isHeld = false
  /// Its on-end command calls `jobrun`.
  var callsAtEnd = false
  /// Nanoseconds after its start; nil = the command is left alone.
  var killAfter: UInt64?

  /// The command line of `jobrun`.
  func arguments(script: String) -> [String] {
    var flags = ["--title", name, "--grace", "100ms"] + (isWatched ? [] : ["--detach"])
    if priority != .normal { flags += ["--priority", priority.rawValue] }
    if let engine { flags += ["--on", engine] }
    if let group { flags += ["--group", group] }
    if isHeld { flags.append("--hold") }
    if callsAtEnd { flags += ["--on-end", "jobrun list; jobrun runner status"] }
    if count > 1 {
      flags[1] = "\(name) {#}"
      return ["each"] + flags + ["--id", "--", "/bin/sh", script, "{}", "\(code)", ":::"]
        + Array(repeating: seconds, count: count)
    }
    if kind == .plain {
      return ["run"] + flags + ["--", "/bin/sh", script, seconds, "\(code)"]
    }
    return ["submit", kind.rawValue] + flags + kind.flags + ["--", seconds, "\(code)"]
  }
}

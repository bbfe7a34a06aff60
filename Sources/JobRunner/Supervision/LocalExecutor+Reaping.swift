import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

/// The end of a tree whose supervisor is gone: all processes with the attempt's token are killed, repeatedly
/// and with pauses for the loop, until none is left.
struct Reaping {
  let tree: ProcessTree
  var due: Instant
  var rounds = 0
  private var pause = Interval.milliseconds(5)

  /// A reaping that is due at once.
  init(_ live: Attempt, at now: Instant) {
    tree = ProcessTree(of: Array("JOBRUN_TOKEN=\(live.token)".utf8), below: nil)
    due = now
  }

  /// Killed processes take a moment to be gone, the longer the more memory they had.
  mutating func countRound(at now: Instant) {
    rounds += 1
    due = now + pause
    pause = min(pause * 2, .seconds(1))
  }
}

extension LocalExecutor {
  /// When to check a tree again; nil = there is none.
  var nextReaping: Instant? { reapings.values.map(\.due).min() }

  func reaping(at now: Instant) {
    for (number, reaping) in reapings where reaping.due <= now {
      guard let live = attempts[number] else {
        reapings[number] = nil
        continue
      }
      let members = reaping.tree.members().map(\.pid)
      let left = members.count + (live.group?.isPopulated == true ? 1 : 0)
      // A process with its token was executed: the attempt has begun, even if neither store nor record has it.
      if left > 0 { live.hasBegun = true }
      let supervisors = reaping.tree.independents(
        above: members + (runtime.jobs[number]?.workerPID.map { [$0] } ?? []))
      defer { letGoOn(supervisors) }
      let isOver = left == 0 && !isHeld(live) && reaping.tree.isEmpty()
      guard isOver || reaping.rounds == Limits.killRounds else {
        if left > 0 {
          live.group?.kill()
          reaping.tree.kill()
        }
        reapings[number]?.countRound(at: now)
        continue
      }
      if left > 0 { notes.add("\(left) processes of job \(number) cannot be ended") }
      reapings[number] = nil
      concludeSwept(live)
    }
  }

  /// If the record is gone, only its children identify an attempt's supervisor: a stopped one can exit once
  /// they are killed.
  private func letGoOn(_ supervisors: Set<ProcessIdentity>) {
    for supervisor in supervisors {
      // Errors are answers here: it has left.
      _ = try? ProcessDescriptor(supervisor).signal(Signal.continue)
    }
  }

  /// A supervisor that was killed may leave the process for a moment that was about to execute the
  /// worker: it still shares the lock of the record, and is about to end.
  private func isHeld(_ live: Attempt) -> Bool {
    guard let file = try? RunRecordFile(existing: live.recordPath) else { return false }
    return (try? file.tryLock()) == false
  }

  /// No process of the tree is left: the record is final.
  private func concludeSwept(_ live: Attempt) {
    switch files.record(of: live) {
    case .record(let record): finish(live, record)
    case .absent, .damaged: finish(live, RunRecord())
    case nil: lookAgain(at: live, after: .seconds(1))
    }
  }
}

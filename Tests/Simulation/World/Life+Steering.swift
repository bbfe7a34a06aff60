import JobCore
import JobRuntime

// People hold, release, move and edit waiting jobs.
extension Life {
  mutating func steer(_ choice: Int, _ how: Steering) {
    let waiting = runtime?.scheduler.queuedNumbers ?? []
    guard let number = waiting.isEmpty ? live(choice) : waiting[choice % waiting.count] else {
      return
    }
    switch how {
    case .hold: request { .hold($0, number) }
    case .release: request { .release($0, number) }
    case .first: request { .move($0, number, behind: nil) }
    case .behind(let other):
      let target = waiting.isEmpty ? number : waiting[other % waiting.count]
      request { .move($0, number, behind: target) }
    case .edit(var edit, let after):
      edit.after = after.map { others in
        let named = Set(
          others.compactMap { live($0) } + outcomes.keys.sorted().prefix(others.count / 2))
        return Prerequisite.list(after: named.sorted(), afterAny: [])
      }
      if edit.start != nil { post(.timeOfDay(timeOfDay)) }
      request { .edit($0, number, edit) }
    }
  }

  /// Releases all jobs at the end; a release may be lost with a runner, and is repeated.
  mutating func releaseAll() {
    for number in runtime?.scheduler.queuedNumbers ?? []
    where runtime?.scheduler.submission(of: number)?.isHeld ?? false {
      request { .release($0, number) }
    }
  }

  /// Edits of a waiting job are stored before they are confirmed.
  mutating func checkKept() {
    guard let runtime, !runtime.isHoldingBack else { return }
    for number in runtime.scheduler.queuedNumbers {
      guard let stored = journal.rows[number]?.submission,
        let asked = runtime.scheduler.submission(of: number), !isSame(stored, asked)
      else { continue }
      deny("what is asked of job \(number) is not what is stored: \(asked.text), \(stored.text)")
    }
  }

  private func isSame(_ left: Submission, _ right: Submission) -> Bool {
    left.isHeld == right.isHeld && left.seat == right.seat && left.options == right.options
      && left.notBefore == right.notBefore
      && left.after.map(\.number) == right.after.map(\.number)
  }
}

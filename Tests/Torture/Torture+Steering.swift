import JobCore
import JobWire
import LinuxSystem
import TestKit

extension Torture {
  /// The group with one slot.
  static let narrowGroup = "narrow"

  /// Holds, moves or edits a job that waits.
  func steerSome() throws {
    let waiting = liveJobs.filter { $0.state == .queued }
    guard !waiting.isEmpty else { return }
    let number = "\(waiting[random.next(upTo: waiting.count)].number)"
    let priorities = Submission.Priority.allCases
    let words =
      switch random.next(upTo: 5) {
      case 0: ["hold", number]
      case 1: ["release", number]
      case 2: ["move", number, "--first"]
      case 3: ["group", Self.narrowGroup, "--pause"]
      default:
        ["edit", number, "--priority", priorities[random.next(upTo: priorities.count)].rawValue]
      }
    steeringCommands.append(try workplace.start(words))
    kills.steered += 1
  }

  /// Releases jobs a moment after they were held, and the group; again if that had no effect.
  func releaseWhatIsDue() throws {
    let now = AwakeClock.now()
    try resumeGroup(at: now)
    for job in liveJobs where job.pendingReason?.code == .held {
      guard let due = releaseAt[job.number] else {
        releaseAt[job.number] = now + UInt64(random.next(upTo: 700)) * Self.millisecond
        continue
      }
      guard due <= now else { continue }
      releaseAt[job.number] = now + 2 * Self.second
      steeringCommands.append(try workplace.start(["release", "\(job.number)"]))
    }
    steeringCommands.removeAll { !$0.isRunning && check($0, "a way to steer a job") }
  }

  /// Its jobs say that they wait for that.
  private func resumeGroup(at now: UInt64) throws {
    let isPaused = liveJobs.contains {
      $0.terms.group == Self.narrowGroup && $0.pendingReason?.code == .paused
    }
    guard isPaused else {
      resumeGroupAt = nil
      return
    }
    let due = resumeGroupAt ?? now + UInt64(random.next(upTo: 700)) * Self.millisecond
    resumeGroupAt = due
    guard due <= now else { return }
    resumeGroupAt = now + 2 * Self.second
    steeringCommands.append(try workplace.start(["group", Self.narrowGroup, "--resume"]))
  }

  /// A held job does not start before its release, in any runner.
  func auditHolds() {
    var held: Set<JobNumber> = []
    for event in feed.events {
      let number = event.job.number
      switch event.kind {
      case .held: held.insert(number)
      case .submitted where event.job.pendingReason?.code == .held: held.insert(number)
      case .released: held.remove(number)
      case .launched where held.contains(number):
        violations.append(Violation(.wrong, "it was launched while it was held", number: number))
      default: break
      }
    }
  }

  /// Of a group with one slot one job has it at a time; a paused one may have given it away.
  func auditGroup() {
    var holders: Set<JobNumber> = []
    for event in feed.events where event.job.terms.group == Self.narrowGroup {
      let number = event.job.number
      switch event.kind {
      case .launched, .resumed: holders.insert(number)
      case .paused, .queued, .ended: holders.remove(number)
      default: break
      }
      if holders.count > 1 {
        violations.append(
          Violation(.wrong, "it has the only slot of its group beside another", number: number))
      }
    }
  }
}

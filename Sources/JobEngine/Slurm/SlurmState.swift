internal import JobWire

/// What the words for a job's state mean, in squeue(1) and scontrol(1).
enum SlurmState {
  static func phase(_ state: String) -> QueueRow.Phase {
    switch state {
    case "PENDING", "CONFIGURING", "REQUEUED": .pending
    case "RUNNING", "SUSPENDED", "STOPPED": .running
    case "COMPLETING", "STAGE_OUT", "SIGNALING": .ending
    default: .over
    }
  }

  static func cause(_ state: String) -> EngineCause? {
    switch state {
    case "CANCELLED", "REVOKED": .cancelled
    case "PREEMPTED": .preempted
    case "OUT_OF_MEMORY": .outOfMemory
    case "TIMEOUT", "DEADLINE": .overLimit
    case "NODE_FAIL", "BOOT_FAIL": .lost
    default: nil
    }
  }

  /// It could not start, or its script ended with an error.
  static func isBroken(_ state: String) -> Bool { state == "FAILED" || state == "BOOT_FAIL" }
}

package import LinuxSystem

/// The file `runs/N.ATTEMPT`: the authoritative record of whether an attempt started and how it ended.
///
/// A few lines of text, each written with one write(2) by the holder of the file's lock. A torn or
/// malformed last line is ignored.
package struct RunRecord: Hashable, Sendable {
  package struct Started: Hashable, Sendable {
    package var worker: ProcessIdentity
    package var shim: ProcessIdentity

    package init(worker: ProcessIdentity, shim: ProcessIdentity) {
      self.worker = worker
      self.shim = shim
    }
  }

  package enum Status: Hashable, Sendable {
    /// 0…255.
    case exited(Int32)
    case signalled(Int32)
    /// The error number; the message of the end says it in words.
    case cannotStart(Int32)
  }

  package struct Ended: Hashable, Sendable {
    package var status: Status
    /// User and system time of the whole tree.
    package var cpuMicroseconds: UInt64
    /// The largest resident size of one of its processes.
    package var residentBytes: UInt64
    /// Wall time, milliseconds since 1970.
    package var startedMilliseconds: Int64
    package var endedMilliseconds: Int64
    /// Empty, or one line for a person.
    package var message: String

    package init(
      status: Status, cpuMicroseconds: UInt64, residentBytes: UInt64, startedMilliseconds: Int64,
      endedMilliseconds: Int64, message: String = ""
    ) {
      self.status = status
      self.cpuMicroseconds = cpuMicroseconds
      self.residentBytes = residentBytes
      self.startedMilliseconds = startedMilliseconds
      self.endedMilliseconds = endedMilliseconds
      self.message = message
    }
  }

  /// The job of the engine that took an attempt on another machine.
  package struct Claimed: Hashable, Sendable {
    package var node: String
    /// The engine's name for the job, for a person.
    package var job: String
    /// How often the engine had started it before.
    package var restart: UInt32
    package var milliseconds: Int64

    package init(node: String, job: String, restart: UInt32, milliseconds: Int64) {
      self.node = node
      self.job = job
      self.restart = restart
      self.milliseconds = milliseconds
    }
  }

  /// Why a supervisor on another machine has told its job to stop.
  package enum StopCause: Hashable, Sendable {
    /// The runner asked for it, for this reason.
    case told(UInt32)
    /// Its time limit was reached or close.
    case limit
    /// The engine's time limit in this partition was reached.
    case partition(String)
    /// It was ended from outside: by a person, or by an engine that needs the resources.
    case outside
  }

  package enum Line: Hashable, Sendable {
    /// The first line of an attempt on another machine.
    case claimed(Claimed)
    case stopping(StopCause, milliseconds: Int64)
    case started(Started)
    case ended(Ended)
    /// The end that follows could not be written at once: the disk was full.
    case waited
    /// The tree's disk reads and writes; written before its end unless both are zero.
    case transferred(BytesTransferred)
    /// The runner revoked the attempt before it had started.
    case revoked
    /// Sent to the runner only, never in the file: nothing was started, as the machine lacks something; the
    /// reason is one line.
    case held(String)
  }

  package var claimed: Claimed?
  package var stopCause: StopCause?
  package var started: Started?
  package var ended: Ended?
  package var isRevoked = false
  package var hasWaited = false
  package var transferred: BytesTransferred?
  /// Why nothing was started, where the supervisor told its runner.
  package var heldBecause: String?
  /// The record has no bytes: the next holder of the lock decides about the attempt.
  package var isEmpty = true

  package init() {}

  package init(parsing bytes: [UInt8]) {
    isEmpty = bytes.isEmpty
    guard let last = bytes.lastIndex(of: 0x0A) else { return }
    for line in bytes[...last].split(separator: 0x0A) {
      switch Line(parsing: String(decoding: line, as: UTF8.self)) {
      case .claimed(let line): claimed = line
      case .stopping(let cause, _): stopCause = cause
      case .started(let line): started = line
      case .ended(let line): ended = line
      case .waited: hasWaited = true
      case .transferred(let bytes): transferred = bytes
      case .revoked: isRevoked = true
      case .held(let reason): heldBecause = reason
      case nil: continue
      }
    }
  }
}

package import JobCore
package import MachineProbes

/// The energy that a job's GPUs use while it holds them, by their own counters.
///
/// A helper reads them, which takes time: the sum is reported once the job has ended and the last reading is
/// done. It is reported only if every attempt was measured from its beginning to its end: not for jobs that an
/// earlier runner has started, and not if a counter is missing or was reset in between.
package final class GPUEnergy {
  /// The measurements of one job.
  private struct Account {
    /// Readings for an earlier account of the same job are ignored.
    let serial: Int
    let gpus: [String]
    /// In millijoules, of the attempts that are over; nil if it cannot be known.
    var sum: UInt64?
    /// The counters at the beginning of the attempt; nil before they were read, and between attempts.
    var mark: [String: UInt64]?
    /// The current attempt; nil between attempts.
    var open: Int?
    /// Pending readings at ends of attempts.
    var looks = 0
    /// The last attempt, once the job has ended.
    var last: Int?
  }

  private let look: (@escaping (GPUReading?) -> Void) -> Void
  private let tell: (UInt64, JobNumber, _ attempt: Int) -> Void
  private var serial = 0
  private var accounts: [JobNumber: Account] = [:]

  /// `look` passes the current reading of the GPUs, or nil if it fails; `tell` gets the energy of all attempts
  /// of a job, in millijoules.
  package init(
    look: @escaping (@escaping (GPUReading?) -> Void) -> Void,
    tell: @escaping (UInt64, JobNumber, _ attempt: Int) -> Void
  ) {
    self.look = look
    self.tell = tell
  }

  /// An attempt gets these GPUs.
  ///
  /// `before`: the energy that its job had used before it was redone, in millijoules; nil if unknown.
  package func begin(_ number: JobNumber, attempt: Int, gpus: [String], before: UInt64?) {
    guard !gpus.isEmpty else { return }
    end(number)
    let earlier = accounts[number].flatMap { $0.last == nil ? $0 : nil }
    serial += 1
    var account = Account(
      serial: earlier?.serial ?? serial, gpus: gpus, sum: earlier == nil ? before : earlier?.sum)
    account.looks = earlier?.looks ?? 0
    account.open = attempt
    accounts[number] = account
    look { [unowned self, account] reading in
      // It may be over already.
      guard accounts[number]?.serial == account.serial, accounts[number]?.open == attempt else {
        return
      }
      accounts[number]?.mark = reading?.counters(of: gpus)
    }
  }

  /// The attempt is over, if there was one.
  package func end(_ number: JobNumber) {
    guard var account = accounts[number], account.open != nil else { return }
    account.open = nil
    let mark = account.mark.take()
    account.looks += 1
    accounts[number] = account
    look { [unowned self, account] reading in
      guard accounts[number]?.serial == account.serial else { return }
      let now = reading?.counters(of: account.gpus)
      counted(number, mark.flatMap { mark in now?.used(since: mark) })
    }
  }

  /// The job has ended.
  package func retire(_ number: JobNumber, attempt: Int) {
    end(number)
    accounts[number]?.last = attempt
    close(number)
  }

  private func counted(_ number: JobNumber, _ millijoules: UInt64?) {
    guard var account = accounts[number] else { return }
    account.looks -= 1
    account.sum = account.sum.flatMap { sum in millijoules.map { sum.addedHeld($0) } }
    accounts[number] = account
    close(number)
  }

  private func close(_ number: JobNumber) {
    guard let account = accounts[number], let last = account.last, account.looks == 0 else {
      return
    }
    accounts[number] = nil
    if let sum = account.sum { tell(sum, number, last) }
  }
}

extension GPUReading {
  /// The counters of all these GPUs; nil if one is missing.
  fileprivate func counters(of gpus: [String]) -> [String: UInt64]? {
    let counters = energy.filter { gpus.contains($0.key) }
    return counters.count == Set(gpus).count ? counters : nil
  }
}

extension [String: UInt64] {
  /// Nil when a counter was set back, as by a driver that is loaded anew.
  fileprivate func used(since mark: [String: UInt64]) -> UInt64? {
    var sum: UInt64 = 0
    for (gpu, before) in mark {
      guard let now = self[gpu], now >= before else { return nil }
      sum = sum.addedHeld(now - before)
    }
    return sum
  }
}

package import JobCore

/// What the GPUs of a job use of energy while it has them, by their own counters.
///
/// They are read by a helper, which takes its time: the sum is told once the job has ended and the last look
/// is done. It is told only where every attempt is known from its beginning to its end, so not of one that
/// an earlier runner has started, and not where a counter is missing or was set back in between.
package final class GPUEnergy {
  /// What is known of one job.
  private struct Account {
    /// Looks for an earlier account of the same job do not count.
    let serial: Int
    let gpus: [String]
    /// In millijoules, of the attempts that are over; nil when it cannot be known any more.
    var sum: UInt64?
    /// What the counters showed when the attempt began; nil before they were read, and between attempts.
    var mark: [String: UInt64]?
    /// The attempt that goes on; nil between them.
    var open: Int?
    /// Ends that are to be looked at.
    var looks = 0
    /// The last attempt, once the job has ended.
    var last: Int?
  }

  private let look: (@escaping (GPUReading?) -> Void) -> Void
  private let tell: (UInt64, JobNumber, _ attempt: Int) -> Void
  private var serial = 0
  private var accounts: [JobNumber: Account] = [:]

  /// `look` tells what the GPUs show now, nil when that cannot be found out; `tell` takes what all attempts
  /// of a job have used, in millijoules.
  package init(
    look: @escaping (@escaping (GPUReading?) -> Void) -> Void,
    tell: @escaping (UInt64, JobNumber, _ attempt: Int) -> Void
  ) {
    self.look = look
    self.tell = tell
  }

  /// An attempt has these GPUs from now on.
  ///
  /// `before`: what its job had used before it was redone, in millijoules; nil when that is not known.
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
  /// What the counters of all these show; nil when one of them tells nothing.
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

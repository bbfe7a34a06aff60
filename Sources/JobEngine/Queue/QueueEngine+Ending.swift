internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

// Running attempts and their ends.
extension QueueEngine {
  /// The time until the next check of an attempt's files.
  func pause(_ attempt: QueueAttempt, at now: UInt64) -> UInt64 {
    if attempt.hasEnded || attempt.control.isKilled { return lookPause / 40 }
    let isClose =
      attempt.gone != nil || attempt.control.isStopped
      || !attempt.hasStarted && attempt.runningSince != nil
    // Changes are announced earlier; this is for the next sign of life.
    return isClose ? Self.timeout : 2 * lookPause
  }

  /// Reports its end, as far as it is known.
  func conclude(_ attempt: QueueAttempt) {
    guard let (record, text) = attempt.record() else {
      return attempt.hasBegun ? concludeRemoved(attempt) : concludeUnbegun(attempt)
    }
    if record.isRevoked { return over(attempt, .revoked(attempt.name)) }
    if !attempt.hasStarted, record.started != nil {
      attempt.begin(on: record.claimed?.node ?? "its node", report)
    }
    let now = AwakeClock.now()
    if let ended = record.ended {
      // Only the system knows the cause, once the attempt has left the queue.
      let isUnexplained =
        record.stopCause == .outside
        || record.stopCause == nil && ended.status == .signalled(Signal.kill)
      if isUnexplained, Dialect.isExplicit, attempt.gone == nil {
        let since = attempt.endedAt ?? now
        attempt.endedAt = since
        if now < since + 10 * Self.timeout {
          asksForEnded = true
          pollAt = min(pollAt ?? .max, now + Self.timeout)
          return
        }
      }
      attempt.tellRest(record, report)
      let said = isUnexplained ? words(of: attempt, record) : ""
      return over(
        attempt, .ended(attempt.name, record: text, attempt.gone?.row?.cause, message: said))
    }
    guard let gone = attempt.gone, isFinal(gone, of: attempt, at: now) else { return }
    attempt.tellRest(record, report)
    // After the network recovers it must not run beside the next attempt.
    attempt.control.isStopped = true
    attempt.control.isKilled = true
    _ = try? attempt.writeControl()
    let said = words(of: attempt, record)
    let cause = gone.row?.cause ?? .lost
    guard cause == .lost else { return over(attempt, .lost(attempt.name, cause, message: said)) }
    let node = record.claimed.map { " from \($0.node)" } ?? ""
    let state = gone.row.map { " (\($0.state))" } ?? ""
    let why = said.isEmpty ? "" : ": \(said)"
    over(
      attempt,
      .lost(
        attempt.name, .lost,
        message:
          "no more reports of it arrive\(node), and \(dialect.name) no longer runs it\(state)\(why)"
      ))
  }

  /// Whether no record of an end will follow: the attempt has left the queue, and its node has been silent.
  ///
  /// A node that the system has lost may go on; of other ends the system knows only once all is over there.
  private func isFinal(
    _ gone: (since: UInt64, row: QueueRow?, hadNode: Bool), of attempt: QueueAttempt, at now: UInt64
  ) -> Bool {
    let isTold = gone.row.map { $0.isOver && $0.cause != .lost } ?? false
    let timeouts = attempt.isUnknownThere ? 2 : 10
    return now > gone.since + UInt64(timeouts) * Self.timeout
      && (isTold || now > attempt.heardAt + contactLoss)
  }

  /// The system's explanation of an end that it caused; empty = nothing new.
  private func words(of attempt: QueueAttempt, _ record: RunRecord) -> String {
    if attempt.gone?.row?.cause == .overLimit, !attempt.partition.isEmpty {
      return RunRecord.StopCause.timeIsUp(in: attempt.partition)
    }
    let log = (try? File.readAll(nodeLog(of: attempt), limit: 1 << 24)) ?? []
    return dialect.explanation(in: log, job: record.claimed?.job) ?? ""
  }

  /// It has started, and its folder is gone: its work must not be repeated.
  private func concludeRemoved(_ attempt: QueueAttempt) {
    guard attempt.gone != nil || attempt.hasEnded, attempt.hasNoRecord else { return }
    over(
      attempt,
      .lost(attempt.name, attempt.gone?.row?.cause ?? .lost, message: attempt.removalMessage))
  }

  /// It has not been claimed.
  private func concludeUnbegun(_ attempt: QueueAttempt) {
    guard let gone = attempt.gone else { return }
    // An attempt that had a node may have started, unless the record, which must exist then, says
    // otherwise.
    if gone.hadNode, attempt.launch == nil || attempt.id != nil,
      !File.exists(attempt.folder.order), attempt.hasNoRecord
    {
      waiting.removeAll { $0 == attempt.name }
      return over(attempt, .lost(attempt.name, .lost, message: attempt.removalMessage))
    }
    do throws(SystemError) {
      // Another claim came first: it has started just now.
      guard try attempt.revoke() else { return }
    } catch {
      return report(.note("the folder of job \(attempt.name.job) cannot be read: \(error)"))
    }
    let name = attempt.name
    waiting.removeAll { $0 == name }
    let isCancelled = gone.row?.cause == .cancelled || isDeleted(attempt)
    let isInVain = isCancelled || !Dialect.isExplicit ? isMadeAgainInVain(name) : false
    if isCancelled, gone.hadNode, !isInVain {
      // A restarted controller may reuse numbers, and a node's late message about the old job then ends the
      // new one. A person who did mean to cancel it will do so again.
      report(
        .note("job \(name.job) had a node, and was cancelled before it began: it is made again"))
      over(attempt, .revoked(name))
    } else if isCancelled {
      over(attempt, .lost(name, .cancelled, message: ""))
    } else if gone.row?.isBroken == true {
      over(attempt, .refused(name, message: "it could not start there: \(complaint(of: attempt))"))
    } else if isInVain {
      over(attempt, .refused(name, message: failedStart(of: attempt)))
    } else {
      over(attempt, .revoked(name))
    }
  }

  /// Whether the attempt was deleted from the queue while it waited: the list once had it, the system no longer
  /// knows it, and no node has begun it.
  ///
  /// A system that was away a moment ago may have lost it instead.
  private func isDeleted(_ attempt: QueueAttempt) -> Bool {
    guard let mark = dialect.mark(attempt.folder) else { return false }
    if let failedAt, AwakeClock.now() < failedAt + Self.lossWindow { return false }
    return attempt.isUnknownThere && attempt.wasShown && !attempt.hadNode && !File.exists(mark)
  }

  /// How long after an outage a missing job counts as lost by the system.
  private static var lossWindow: UInt64 { 120_000 * millisecond }

  /// Whether the attempts before it did not start either.
  private func isMadeAgainInVain(_ name: EngineAttempt) -> Bool {
    guard name.attempt > Self.vainTries else { return false }
    return (1...Self.vainTries).allSatisfy { count in
      let before = EngineAttempt(name.job, name.attempt - count)
      return QueueAttempt(before, in: store, pace: Dialect.pace).record()?.record.isRevoked ?? false
    }
  }

  private static var vainTries: Int { 3 }

  private func failedStart(of attempt: QueueAttempt) -> String {
    let times = "it was submitted \(Self.vainTries + 1) times"
    guard !attempt.wasShown, let id = attempt.id else {
      return "\(times) and never began: \(complaint(of: attempt))"
    }
    return "\(times); \(unlisted(id))"
  }

  func unlisted(_ id: String) -> String {
    "the list does not show it, which \(dialect.name) calls \(id);"
      + " does \"row\" match the lines of \"list\"?"
  }

  /// The messages of the system or the supervisor about a start that failed.
  private func complaint(of attempt: QueueAttempt) -> String {
    let bytes = (try? File.readAll(nodeLog(of: attempt), limit: 1 << 20)) ?? []
    let last = bytes.split(separator: 0x0A).last.map { String(decoding: $0, as: UTF8.self) }
    return last.map { SafeText.shown($0) }
      ?? "the node wrote nothing into \(attempt.folder.path); the node must have its folder at"
      + " the same path, and be able to run programs of this machine"
  }

  /// The file for messages of the system and the supervisor; one for all elements of an array.
  private func nodeLog(of attempt: QueueAttempt) -> String {
    guard let batch = batches.first(where: { $0.value.contains(attempt.name) })?.key else {
      return attempt.folder.nodeLog
    }
    return "\(QueueBatch.folder(store))/\(batch).log"
  }

  /// Ends an attempt that its supervisor did not end.
  func endFromHere(_ attempt: QueueAttempt) {
    attempt.cancelAt = AwakeClock.now() + 30 * Self.timeout
    discard(attempt.name)
  }

  /// Cancels its jobs in the queue, by the numbers that the next poll shows; at once where only numbers are
  /// known, as the queue may show it too late.
  func discard(_ name: EngineAttempt) {
    let given = names.name(of: name)
    unwanted.insert(given)
    for (id, name) in numbered where name == given { cancelled.insert(id) }
    pollAt = AwakeClock.now()
  }
}

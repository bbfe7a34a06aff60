// A job with an unanswered question keeps its GPUs only until another job needs them.
extension Scheduler {
  /// Stops jobs whose question has been open for longer than it keeps the slot if others wait for their GPUs:
  /// the oldest questions first, no more jobs than necessary, and none if they would not suffice.
  mutating func giveUpUnanswered(at now: Instant) {
    guard !ledger.leases.isEmpty, !isShuttingDown else { return }
    var open = openRows
    while let head = foremost(of: open) {
      open.close(head)
      guard head.row.needs.contains(.gpu), let index = table.index(of: head.number) else {
        continue
      }
      let demand = table[index].submission.options.demandHere
      guard ledger.ownLack(of: demand) == .gpuLeased else { continue }
      for holder in unanswered(holding: demand, at: now) {
        let span = configuration.promptKeepsSlot.words
        let what = table[holder].lease.gpus.count == 1 ? "this GPU" : "these GPUs"
        let reason = StopReason(
          .unanswered, "nobody answered for \(span), and job \(head.number) waits for \(what)")
        stop(holder, reason, at: now)
      }
    }
  }

  /// The unanswered jobs that hold the missing GPUs; empty when those GPUs do not suffice.
  private func unanswered(holding demand: Requirements, at now: Instant) -> [Int] {
    var missing = demand.gpuCount
    let suitable = (ledger.facts?.gpus ?? []).filter {
      $0.memoryTotalBytes >= demand.gpuMemoryBytes
    }
    var held: [(since: Instant, index: Int, count: Int)] = []
    for gpu in suitable {
      guard let holder = ledger.leases[gpu.uuid] else {
        missing -= 1
        continue
      }
      guard let index = table.index(of: holder) else { continue }
      switch table[index].phase {
      case .stopping: missing -= 1
      case .stalled(let since) where since + configuration.promptKeepsSlot <= now:
        if let known = held.firstIndex(where: { $0.index == index }) {
          held[known].count += 1
        } else {
          held.append((since, index, 1))
        }
      case .inLine, .delayed, .after, .awaiting, .scheduled, .held, .launching, .away, .running,
        .stalled, .paused:
        break
      }
    }
    held.sort { ($0.since, table[$0.index].number) < ($1.since, table[$1.index].number) }
    var chosen: [Int] = []
    for holder in held where missing > 0 {
      chosen.append(holder.index)
      missing -= holder.count
    }
    return missing > 0 ? [] : chosen
  }

  /// When a GPU becomes free whose holder has an open question; empty for any other holder.
  func fate(ofGPUHeldBy number: JobNumber) -> String {
    guard let index = table.index(of: number) else { return "" }
    switch table[index].phase {
    case .stalled:
      return ", which asks whether to continue, and is stopped if nobody answers for"
        + " \(configuration.promptKeepsSlot.words)"
    case .stopping(let stop) where stop.reason.code == .unanswered:
      return ", which is being stopped for it: its question was not answered"
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held, .launching, .away, .running,
      .paused, .stopping:
      return ""
    }
  }
}

// Processors and the resources that the machine's owner counts. A job that lacks some is passed over, so that
// jobs behind it that need none of them start; jobs that need the same come after it.
extension Scheduler {
  /// Applies other counted resources or other amounts.
  mutating func setCounted(_ totals: [String: Int], at now: Instant) {
    ledger.counted.totals = totals
    refuseImpossible(at: now)
    admissionDue = true
  }

  /// The counted resources that a job lacks at `rank`, if it is queued there or would be.
  func countedBar(on options: Submission.Options, before rank: WaitingLine.Rank) -> Bar? {
    let demand = options.requirements
    guard demand.isCounted else { return nil }
    if let machines = pool(of: options) {
      if let bar = countedBar(on: options, among: machines) { return bar }
    } else {
      if options.engine != nil { return nil }
      if let need = ledger.shortage(of: demand) { return .counted(sentence(for: need)) }
    }
    let names = demand.countedNeeds.map { $0.name }
    var ahead: WaitingLine.Rank?
    for lane in lines.indices
    where isOpen(lane) && lanes.lanes[lane].owner.engine == options.engine {
      for sort in lines[lane].sortsAside where sort.shares(names) && !isBarred(sort) {
        guard let first = lines[lane].firstAside(of: sort), first < rank else { continue }
        ahead = min(ahead ?? first, first)
      }
    }
    return ahead.map {
      let what = names.joined(separator: ", ")
      return .counted("job \($0.place.number) is ahead and also waits for \(what)")
    }
  }

  /// Whether jobs of this lane may have to wait for counted resources.
  func countsResources(of lane: Int) -> Bool {
    lanes.lanes[lane].owner.engine.map { lanes.pools[$0] != nil } ?? true
  }

  func sentence(for need: CountedNeed) -> String {
    let isProcessors = need.name == CountedNeed.processors
    let holders = active.elements.filter { number in
      table.index(of: number).map { index in
        table[index].lease.counted.contains { $0.name == need.name }
      } ?? false
    }
    let (total, free) = (ledger.total(of: need.name) ?? 0, max(0, ledger.free(of: need.name)))
    let named = words(jobs: Array(holders.prefix(3)), of: holders.count)
    let processors = need.count == 1 ? "processor" : "processors"
    return "\(need.count) \(isProcessors ? processors : "of \(need.name)")"
      + " \(need.count == 1 ? "is" : "are") needed, and \(free) of \(total)"
      + " \(free == 1 ? "is" : "are") free"
      + (holders.isEmpty ? "" : ": the rest is reserved by \(named)")
  }

  /// Puts jobs that lacked a counted resource back in line, in the order of the queue, as long as there is
  /// enough for them.
  mutating func recallCounted(at now: Instant) {
    var left: [String: Int] = [:]
    var short: Set<String> = []
    while let (lane, sort) = firstLackingCounted(but: short) {
      for need in sort.counted where left[need.name] == nil {
        left[need.name] = ledger.free(of: need.name)
      }
      let isEnough = sort.counted.allSatisfy { left[$0.name, default: 0] >= $0.count }
      guard isEnough else {
        short.formUnion(sort.counted.map { $0.name })
        continue
      }
      lines[lane].recall(sort, atMost: 1, at: now)
      for need in sort.counted {
        left[need.name, default: 0] -= need.count
      }
    }
  }

  /// The sort and the lane of the first job that was passed over and needs none of the short resources.
  private func firstLackingCounted(but short: Set<String>) -> (lane: Int, sort: JobSort)? {
    var first: (lane: Int, sort: JobSort, rank: WaitingLine.Rank)?
    for lane in lines.indices where isOpen(lane) && lanes.lanes[lane].owner.engine == nil {
      for sort in lines[lane].sortsAside
      where !sort.counted.isEmpty && !isBarred(sort)
        && short.isDisjoint(with: sort.counted.map { $0.name })
      {
        guard let rank = lines[lane].firstAside(of: sort) else { continue }
        if let best = first, best.rank < rank { continue }
        first = (lane, sort, rank)
      }
    }
    return first.map { ($0.lane, $0.sort) }
  }
}

extension JobSort {
  fileprivate func shares(_ names: [String]) -> Bool {
    counted.contains { names.contains($0.name) }
  }
}

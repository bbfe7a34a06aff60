extension Scheduler {
  /// Whether the machine must be probed while this job runs: a processing task continues only as long as its
  /// conditions hold.
  ///
  /// Other jobs need them only at the start; a person who watches a job decides about it.
  func isConditioned(_ index: Int) -> Bool {
    let demand = table[index].submission.options.demandHere
    return table[index].submission.options.kind == .processing && !table[index].ignoresConditions
      && (demand.network || demand.power)
  }

  /// Stops the tasks whose condition is gone, once a second probe confirms it.
  ///
  /// A network that changes its route, or a plug that is moved, is gone for a moment only.
  mutating func judgeConditions(at now: Instant) {
    for number in conditioned.elements {
      guard let index = table.index(of: number) else { continue }
      guard let why = lostCondition(of: table[index].submission.options.requirements) else {
        table[index].conditionLostAt = nil
        continue
      }
      guard let since = table[index].conditionLostAt else {
        table[index].conditionLostAt = now
        continue
      }
      guard now - since >= Watch.confirmation else { continue }
      stop(index, StopReason(.requirementLost, why), at: now)
    }
  }

  /// Which of the conditions does not hold, in a sentence.
  private func lostCondition(of demand: Requirements) -> String? {
    guard let facts = ledger.facts else { return nil }
    if demand.power, !facts.power.holds { return sentence(for: .power, demand) }
    if demand.network, !facts.network.holds { return sentence(for: .network, demand) }
    return nil
  }

  /// Whether one probe showed that a condition is gone, and another must confirm it.
  var isConditionSuspected: Bool {
    conditioned.first(1) { number in
      table.index(of: number).map { table[$0].conditionLostAt != nil } ?? false
    }.isEmpty == false
  }
}

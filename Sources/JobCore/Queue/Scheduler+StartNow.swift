// A person starts a waiting job now: before jobs ahead of it, beyond the slots, and even if it is held or its
// time has not come.
extension Scheduler {
  mutating func startNow(_ number: JobNumber, _ tag: RequestTag, at now: Instant) {
    guard let index = waiting(number, toBe: "started", tag) else { return }
    if let why = reasonAgainstStarting(index) {
      return outbox.reply(tag, .refused(Refusal(.unavailable, why)))
    }
    if table[index].submission.isHeld { table[index].change { $0.isHeld = false } }
    guard launch(index, at: now) else {
      let why = "job \(number) cannot have what it needs at this moment; jobrun resources shows it"
      return outbox.reply(tag, .refused(Refusal(.unavailable, why)))
    }
    countStart(index)
    table[index].ignoresConditions = true
    conditioned.remove(number)
    outbox.reply(tag, .done(number))
  }

  /// A forced start cannot create memory or GPUs, and never overrides dependencies.
  private func reasonAgainstStarting(_ index: Int) -> String? {
    let number = table[index].number
    var demand = table[index].submission.options.demandHere
    (demand.network, demand.power) = (false, false)
    if isShuttingDown { return "the runner is stopping; try again once it has stopped" }
    if case .after(let predecessor) = table[index].phase {
      return "job \(number) waits for job \(predecessor), which has not ended"
    }
    if prerequisites.waits(number) { return "job \(number) \(reasonToAwait(number).message)" }
    if let bar = lastingBar(on: table[index].terms.sort) { return bar.sentence }
    if let machines = pool(ofJobAt: index) {
      return choiceNow(index, at: latest) == nil ? reasonAgainst(index, on: machines) : nil
    }
    if let need = ledger.shortage(of: demand) { return sentence(for: need) }
    let lack =
      ledger.ownLack(of: demand) ?? ledger.measuredLack(of: demand, at: latest, agesMatter: false)
    return lack.map { sentence(for: $0, demand) }
  }
}

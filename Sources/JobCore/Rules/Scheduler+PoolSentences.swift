// Why no machine of a pool takes a job: `no member of boxes has a free GPU: tower 0 of 2, here none`.
extension Scheduler {
  /// What the machines lack.
  private enum Scarcity: Hashable {
    case slots, gpu, memory, disk, processors, turn

    init?(_ lack: Lack?) {
      switch lack {
      case .slots: self = .slots
      case .gpuLeased, .gpu, .unknown(.gpu): self = .gpu
      case .memoryReserved, .memory: self = .memory
      case .disk: self = .disk
      case .counted: self = .processors
      case .behind, .kept: self = .turn
      default: return nil
      }
    }
  }

  func sentence(
    for lacks: [MachineLack], of demand: Requirements, in pool: String
  ) -> String {
    if lacks.count == 1 { return clause(lacks[0], demand) }
    let kinds = Set(lacks.compactMap { Scarcity($0.lack) })
    guard let kind = kinds.first else { return sentenceWithoutAnswers(lacks, pool) }
    guard kinds.count == 1, kind != .turn else {
      let clauses = lacks.map { clause($0, demand) }.joined(separator: ", ")
      return "no member of \(pool) can take it now: \(clauses)"
    }
    let figures = lacks.map { "\($0.machine) \(figure($0, kind, demand))" }
    return "no member of \(pool) has \(name(of: kind, demand)): \(figures.joined(separator: ", "))"
  }

  /// Why a person cannot start a job now.
  func reasonAgainst(_ index: Int, on machines: [String]) -> String {
    let options = table[index].submission.options
    let lacks = self.lacks(
      of: options, on: machines, agesMatter: false, beyondSlots: true, at: latest)
    return sentence(for: lacks, of: options.requirements, in: options.engine ?? "")
  }

  private func sentenceWithoutAnswers(_ lacks: [MachineLack], _ pool: String) -> String {
    let clauses = lacks.map { clause($0, Requirements()) }.joined(separator: ", ")
    return "no member of \(pool) can take it now: \(clauses)"
  }

  private func name(of kind: Scarcity, _ demand: Requirements) -> String {
    switch kind {
    case .slots: "a free slot"
    case .gpu: demand.gpuCount == 1 ? "a free GPU" : "\(demand.gpuCount) free GPUs"
    case .memory: "\(words(bytes: demand.memoryBytes)) of memory free"
    case .disk: "\(words(bytes: demand.diskBytes)) of disk space free"
    case .processors:
      demand.processors == 1 ? "a free processor" : "\(demand.processors) free processors"
    case .turn: "its turn"
    }
  }

  /// How much a machine has of what all of them lack.
  private func figure(_ entry: MachineLack, _ kind: Scarcity, _ demand: Requirements) -> String {
    switch entry.lack {
    case .silent: return "does not answer"
    case .unknown([]): return "has not answered yet"
    case .never: return isWithoutGPU(entry.machine, demand) ? "none" : "is too small"
    default: break
    }
    let (free, total) = amounts(of: kind, on: entry.machine, demand)
    return "\(free) of \(total)"
  }

  private func isWithoutGPU(_ machine: String, _ demand: Requirements) -> Bool {
    demand.gpuCount > 0 && ledger(of: machine)?.facts?.gpus.isEmpty ?? true
  }

  private func amounts(
    of kind: Scarcity, on machine: String, _ demand: Requirements
  ) -> (free: String, total: String) {
    guard let ledger = self.ledger(of: machine), let facts = ledger.facts else {
      return ("\(lanes.slotsFree(on: machine))", "\(lanes.slots(on: machine))")
    }
    switch kind {
    case .slots, .turn: return ("\(lanes.slotsFree(on: machine))", "\(lanes.slots(on: machine))")
    case .gpu:
      return ("\(facts.gpus.count { ledger.isFree($0, for: demand) })", "\(facts.gpus.count)")
    case .memory:
      let measured =
        facts.memoryAvailableBytes - min(facts.memoryAvailableBytes, ledger.memoryGranted)
      let reserved = facts.memoryTotalBytes - min(facts.memoryTotalBytes, ledger.memoryReserved)
      return (words(bytes: min(measured, reserved)), words(bytes: facts.memoryTotalBytes))
    case .disk:
      let free = facts.diskFreeBytes - min(facts.diskFreeBytes, ledger.diskGranted)
      return (words(bytes: free), words(bytes: facts.diskTotalBytes))
    case .processors:
      return ("\(max(0, ledger.free(of: CountedNeed.processors)))", "\(facts.processors)")
    }
  }

  /// A whole sentence about one machine.
  private func clause(_ entry: MachineLack, _ demand: Requirements) -> String {
    let machine = entry.machine
    switch entry.lack {
    case .silent(let why): return "\(machine) does not answer: \(why)"
    case .never:
      return isWithoutGPU(machine, demand) ? "\(machine) has no GPU" : "\(machine) is too small"
    case .behind(let number, _, _): return "\(machine) is kept for job \(number), which is ahead"
    case .kept: return "\(machine) is kept for jobs ahead"
    case let lack:
      guard let kind = Scarcity(lack) else { return "\(machine) has not answered yet" }
      let (free, total) = amounts(of: kind, on: machine, demand)
      let what =
        switch kind {
        case .slots, .turn: "slots"
        case .gpu: "GPUs"
        case .memory: "memory"
        case .disk: "disk space"
        case .processors: "processors"
        }
      return "\(machine) has \(free) of \(total) \(what) free"
    }
  }
}

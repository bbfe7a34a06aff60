package import JobCore

// What hosted jobs hold after their end: nobody else gets it before their process lets go.
extension World {
  /// Whether the event that ends a job leaves its process with what the job held.
  func lingers(_ number: JobNumber, by event: Event) -> Bool {
    guard let member = members[number], member.isHosted, case .active = member.stage else {
      return false
    }
    switch event {
    case .finished(number, _, let end): return end.status == .outlives && end.declared == .nothing
    case .hostLost(number, _): return true
    default: return false
    }
  }

  /// Only the end of its process, or its own word, frees what a job holds that has ended.
  mutating func letGo(by event: Event) {
    released = nil
    guard case .finished(let number, _, let end) = event, end.status != .outlives,
      members[number]?.lingers == true
    else { return }
    members[number]?.lingers = false
    members[number]?.gpus = []
    released = number
  }

  /// Whether it holds a slot and what it demanded, running or not.
  package func holds(_ number: JobNumber) -> Bool {
    isActive(number) || members[number]?.lingers == true
  }

  /// The jobs that have ended and whose processes still hold something, ascending.
  package var lingering: [JobNumber] { members.filter(\.value.lingers).keys.sorted() }
}

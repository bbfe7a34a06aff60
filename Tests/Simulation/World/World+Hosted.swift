package import JobCore

// Resources that hosted jobs hold after their end: they stay taken until the process lets go.
extension World {
  /// Whether the event that ends a job leaves its resources with its process.
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

  /// Only the end of its process, or its own report, frees the resources of an ended job.
  mutating func letGo(by event: Event) {
    released = nil
    guard case .finished(let number, _, let end) = event, end.status != .outlives,
      members[number]?.lingers == true
    else { return }
    members[number]?.lingers = false
    members[number]?.gpus = []
    released = number
  }

  /// Whether it holds a slot and its resources, running or not.
  package func holds(_ number: JobNumber) -> Bool {
    isActive(number) || members[number]?.lingers == true
  }

  /// The jobs that have ended and whose processes still hold something, ascending.
  package var lingering: [JobNumber] { members.filter(\.value.lingers).keys.sorted() }
}

package import JobCore

/// All live jobs by number.
///
/// A live job takes most of a KiB. A dictionary would reserve memory for up to three of them per job; here it
/// holds indices of an array, which has little spare capacity.
package struct LiveJobTable {
  private var indices: [JobNumber: Int] = [:]
  private var liveJobs: [LiveJob?] = []
  private var vacantIndices: [Int] = []
  /// The jobs, ascending.
  package private(set) var numbers = OrderedNumbers()
  /// Capacity for this many is kept after a crowd has gone.
  private static let roomKept = 1_024

  package var count: Int { indices.count }
  package var isEmpty: Bool { indices.isEmpty }
  /// In no order.
  package var keys: some Collection<JobNumber> { indices.keys }
  /// In no order.
  package var values: some Sequence<LiveJob> { liveJobs.lazy.compactMap(\.self) }

  package init() {}

  /// Reserves capacity for this many more.
  package mutating func reserve(_ count: Int) {
    indices.reserveCapacity(indices.count + count)
    liveJobs.reserveCapacity(liveJobs.count + max(0, count - vacantIndices.count))
  }

  /// Whether the job is live; quicker than to ask for it.
  package func contains(_ number: JobNumber) -> Bool { indices[number] != nil }

  /// Nil when the job is not live, and to take it away.
  package subscript(number: JobNumber) -> LiveJob? {
    _read {
      if let index = indices[number] { yield liveJobs[index] } else { yield nil }
    }
    _modify {
      let index = indices[number] ?? makeIndex(for: number)
      defer { if case .none = liveJobs[index] { vacate(index, of: number) } }
      yield &liveJobs[index]
    }
  }

  /// Takes a job away, and answers it.
  package mutating func removeValue(forKey number: JobNumber) -> LiveJob? {
    let liveJob = self[number]
    self[number] = nil
    return liveJob
  }

  private mutating func makeIndex(for number: JobNumber) -> Int {
    if vacantIndices.isEmpty { liveJobs.append(nil) }
    let index = vacantIndices.popLast() ?? liveJobs.count - 1
    indices[number] = index
    numbers.insert(number)
    return index
  }

  private mutating func vacate(_ index: Int, of number: JobNumber) {
    indices[number] = nil
    numbers.remove(number)
    vacantIndices.append(index)
    if liveJobs.count > Self.roomKept, indices.count < liveJobs.count / 4 { releaseCapacity() }
  }

  /// Compacts the array after a large number of jobs has ended.
  private mutating func releaseCapacity() {
    var kept: [LiveJob?] = []
    var moved: [JobNumber: Int] = [:]
    for (number, index) in indices {
      moved[number] = kept.count
      kept.append(liveJobs[index])
    }
    (indices, liveJobs, vacantIndices) = (moved, kept, [])
  }
}

import JobCore
import JobRunner
import MachineProbes
import Testing

/// The energy of GPUs, with readings that the test completes.
@Suite final class GPUEnergyTests {
  private var looks: [(GPUReading?) -> Void] = []
  private var told: [String] = []
  private lazy var energy = GPUEnergy(
    look: { [unowned self] in looks.append($0) },
    tell: { [unowned self] in told.append("\($1).\($2): \($0)") })
  private let job = JobNumber(1)

  /// All looks that are under way end with these counters.
  private func show(_ counters: [String: UInt64]?) {
    let waiting = looks
    looks = []
    for body in waiting {
      body(
        counters.map {
          var reading = GPUReading.unknown
          reading.energy = $0
          return reading
        })
    }
  }

  private func begin(_ attempt: Int = 1, gpus: [String] = ["A"]) {
    energy.begin(job, attempt: attempt, gpus: gpus, before: attempt == 1 ? 0 : nil)
  }

  @Test func `it is told once the job has ended and its GPUs were looked at`() {
    begin(gpus: ["A", "B"])
    show(["A": 100, "B": 50, "C": 1])
    energy.retire(job, attempt: 1)
    #expect(told == [])
    show(["A": 107, "B": 53, "C": 900])
    #expect(told == ["1.1: 10"])
  }

  @Test func `attempts are added up, without what others used in between`() {
    begin()
    show(["A": 100])
    energy.end(job)
    show(["A": 110])
    begin(2)
    show(["A": 500])
    energy.end(job)
    energy.retire(job, attempt: 2)
    show(["A": 505])
    #expect(told == ["1.2: 15"])
  }

  @Test func `one that gives a GPU on and one that gets it share a look`() {
    begin()
    show(["A": 100])
    energy.retire(job, attempt: 1)
    energy.begin(JobNumber(2), attempt: 1, gpus: ["A"], before: 0)
    show(["A": 110])
    energy.retire(JobNumber(2), attempt: 1)
    show(["A": 130])
    #expect(told == ["1.1: 10", "2.1: 20"])
  }

  @Test(arguments: [nil, [:], ["B": 900], ["A": 99]] as [[String: UInt64]?])
  func `a counter that is gone or was set back leaves it unknown`(shown: [String: UInt64]?) {
    begin()
    show(["A": 100])
    energy.retire(job, attempt: 1)
    show(shown)
    #expect(told == [])
  }

  @Test func `one that ends before its first look is unknown, and a later attempt with it`() {
    begin()
    energy.end(job)
    begin(2)
    show(["A": 100])
    energy.retire(job, attempt: 2)
    show(["A": 110])
    #expect(told == [])
  }

  @Test func `one that an earlier runner has begun is unknown`() {
    energy.retire(job, attempt: 1)
    begin(2)
    show(["A": 100])
    energy.retire(job, attempt: 2)
    show(["A": 110])
    #expect(told == [])
  }

  @Test(arguments: [(40, ["1.2: 50"]), (nil, [])] as [(UInt64?, [String])])
  func `one that is redone goes on from what was known of it`(before: UInt64?, all: [String]) {
    begin()
    show(["A": 1])
    energy.retire(job, attempt: 1)
    // That look is still under way.
    energy.begin(job, attempt: 2, gpus: ["A"], before: before)
    show(["A": 100])
    energy.retire(job, attempt: 2)
    show(["A": 110])
    #expect(told == all)
  }
}

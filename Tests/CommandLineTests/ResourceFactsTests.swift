import JobCore
import JobWire
import Testing

@testable import jobrun

/// What of the machine is taken, in `jobrun resources`.
struct ResourceFactsTests {
  private func facts(_ change: (inout ResourcesReport) -> Void) -> [String: String] {
    var report = ResourcesReport()
    report.processors = 4
    report.processorsWhy = "sched_getaffinity"
    report.memory = ResourcesReport.Amount(
      totalBytes: 8 << 30, freeBytes: 4 << 30, why: "MemAvailable")
    change(&report)
    return Dictionary(ResourceFacts.all(report).map { ($0.name, $0.value) }) { first, _ in first }
  }

  @Test func `what nobody has reserved is not told`() {
    let facts = facts { $0.memory.reservedBytes = 0 }
    #expect(facts["processors"] == "4 (sched_getaffinity)")
    #expect(facts["memory"] == "4 GiB of 8 GiB available (MemAvailable)")
  }

  @Test func `reserved processors and memory, and resources of one's own are told`() {
    let facts = facts {
      $0.processorsReserved = 3
      $0.memory.reservedBytes = 1 << 30
      $0.counted = [ResourcesReport.Counted(name: "licence", total: 2, used: 1)]
    }
    #expect(facts["processors"] == "4, 3 reserved (sched_getaffinity)")
    #expect(facts["memory"] == "4 GiB of 8 GiB available, 1 GiB reserved (MemAvailable)")
    #expect(facts["licence"] == "1 of 2 taken")
  }
}

import JobCore
import MachineProbes
import TestKit
import Testing

/// The energy of processors, on a pretended machine: the real counters are for root only, and a virtual one
/// has none.
@Suite struct ProcessorEnergyTests {
  private let sandbox: Sandbox
  private let energy: ProcessorEnergy
  private static let range: UInt64 = 262_143_328_850

  init() throws {
    sandbox = try Sandbox()
    try Self.add(to: sandbox, "intel-rapl:0", "package-0")
    try Self.show(sandbox, joules: 1_000, busySeconds: 10)
    energy = ProcessorEnergy(tree: SystemTree(root: sandbox.path("root")))
  }

  private static func zone(_ name: String) -> String { "root/sys/class/powercap/\(name)" }

  private static func add(to sandbox: Sandbox, _ zone: String, _ name: String) throws {
    try sandbox.write("\(name)\n", to: "\(Self.zone(zone))/name")
    try sandbox.write("\(range)\n", to: "\(Self.zone(zone))/max_energy_range_uj")
    try sandbox.write("0\n", to: "\(Self.zone(zone))/energy_uj")
  }

  private static func show(
    _ sandbox: Sandbox, joules: UInt64, busySeconds: UInt64, of zone: String = "intel-rapl:0"
  ) throws {
    try sandbox.write("\(joules * 1_000_000)\n", to: "\(Self.zone(zone))/energy_uj")
    let ticks = busySeconds * 100
    try sandbox.write("cpu  \(ticks) 0 0 5000 7 0 0 0 0 0\ncpu0 1\n", to: "root/proc/stat")
  }

  private func instant(_ seconds: UInt64) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

  private func mark(at seconds: UInt64) throws -> ProcessorEnergy.Mark {
    try #require(energy.look(at: instant(seconds), slept: .zero))
  }

  /// In millijoules, for a job with this many seconds of processor time.
  private func share(
    of busy: UInt64, since mark: ProcessorEnergy.Mark, at seconds: UInt64, slept: UInt64 = 0
  ) -> UInt64? {
    energy.share(
      of: busy * 1_000_000, since: mark, at: instant(seconds), slept: .seconds(slept))
  }

  @Test func `two jobs have together what was used, each by its part of the work`() throws {
    let mark = try mark(at: 1)
    try Self.show(sandbox, joules: 1_400, busySeconds: 18)
    #expect(share(of: 2, since: mark, at: 11) == 100_000)
    #expect(share(of: 6, since: mark, at: 11) == 300_000)
  }

  @Test func `nobody has more than all of it`() throws {
    let mark = try mark(at: 1)
    try Self.show(sandbox, joules: 1_400, busySeconds: 11)
    #expect(share(of: 2, since: mark, at: 11) == 400_000)
  }

  @Test func `a counter that begins anew goes on`() throws {
    try Self.show(sandbox, joules: Self.range / 1_000_000, busySeconds: 10)
    let mark = try mark(at: 1)
    try Self.show(sandbox, joules: 99, busySeconds: 12)
    let used = try #require(share(of: 2, since: mark, at: 11))
    #expect((99_000...100_000).contains(used))
  }

  @Test func `the next look comes before a counter can begin anew twice`() throws {
    _ = try mark(at: 1)
    #expect(energy.nextDue == instant(1) + .microseconds(Self.range / 2_000))
  }

  @Test func `after a gap in which it may have begun anew twice nothing is known`() throws {
    let mark = try mark(at: 1)
    try Self.show(sandbox, joules: 1_400, busySeconds: 18)
    #expect(share(of: 2, since: mark, at: 300) == nil)
    let next = try self.mark(at: 301)
    try Self.show(sandbox, joules: 1_500, busySeconds: 20)
    #expect(share(of: 2, since: next, at: 303) == 100_000)
  }

  @Test func `a counter that a sleep has set back is not taken for one that began anew`() throws {
    let mark = try mark(at: 1)
    try Self.show(sandbox, joules: 3, busySeconds: 11)
    #expect(share(of: 1, since: mark, at: 2, slept: 60) == nil)
  }

  @Test func `the time that the machine slept is part of a gap`() throws {
    let mark = try mark(at: 1)
    try Self.show(sandbox, joules: 1_001, busySeconds: 11)
    #expect(share(of: 1, since: mark, at: 2, slept: 3_600) == nil)
  }

  @Test func `a counter that vanishes leaves what ran meanwhile unknown`() throws {
    let mark = try mark(at: 1)
    try sandbox.write("", to: "\(Self.zone("intel-rapl:0"))/energy_uj")
    try sandbox.write("cpu  2000 0 0 5000 7 0 0 0 0 0\n", to: "root/proc/stat")
    #expect(share(of: 1, since: mark, at: 2) == nil)
    #expect(energy.look(at: instant(3), slept: .zero) == nil)
  }

  @Test func `parts of processors are counted once, with their whole`() throws {
    try Self.add(to: sandbox, "intel-rapl:0:0", "core")
    try Self.add(to: sandbox, "intel-rapl-mmio:0", "package-0")
    try Self.add(to: sandbox, "intel-rapl:1", "psys")
    try Self.add(to: sandbox, "intel-rapl:2", "package-1")
    let energy = ProcessorEnergy(tree: SystemTree(root: sandbox.path("root")))
    let mark = try #require(energy.look(at: instant(1), slept: .zero))
    for zone in ["intel-rapl:0:0", "intel-rapl-mmio:0", "intel-rapl:1"] {
      try Self.show(sandbox, joules: 900, busySeconds: 12, of: zone)
    }
    try Self.show(sandbox, joules: 1_100, busySeconds: 12)
    try Self.show(sandbox, joules: 50, busySeconds: 12, of: "intel-rapl:2")
    #expect(energy.share(of: 1_000_000, since: mark, at: instant(3), slept: .zero) == 75_000)
  }

  @Test func `nothing is known where one of two processors cannot be read, and never 0`() throws {
    try Self.add(to: sandbox, "intel-rapl:1", "package-1")
    try sandbox.write("", to: "\(Self.zone("intel-rapl:1"))/energy_uj")
    let energy = ProcessorEnergy(tree: SystemTree(root: sandbox.path("root")))
    #expect(energy.look(at: instant(1), slept: .zero) == nil && energy.nextDue == nil)
    let none = ProcessorEnergy(tree: SystemTree(root: sandbox.path("none")))
    #expect(none.look(at: instant(1), slept: .zero) == nil && none.nextDue == nil)
  }

  @Test func `within a tick of the clock nothing is known of the work`() throws {
    let mark = try mark(at: 1)
    try Self.show(sandbox, joules: 1_001, busySeconds: 11)
    let soon = instant(1) + .milliseconds(3)
    #expect(energy.share(of: 3_000, since: mark, at: soon, slept: .zero) == nil)
  }
}

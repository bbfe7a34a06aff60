import Foundation
import JobWire
import TestKit
import Testing

/// The energy of processors from a counter to a person's eyes, on a pretended machine: a folder in the place
/// of /sys and /proc.
@Suite struct EnergyTests {
  private let workshop: Workshop
  private let environment: [String: String]

  init() throws {
    workshop = try Workshop()
    environment = ["JOBRUN_SYSTEM_ROOT": workshop.sandbox.path("machine")]
    try workshop.defineGated("hold")
    try show("name", "package-0")
    try show("max_energy_range_uj", "262143328850")
    try show(joules: 1_000, busySeconds: 10)
  }

  private func show(_ name: String, _ text: String) throws {
    try workshop.sandbox.write(
      text + "\n", to: "machine/sys/class/powercap/intel-rapl:0/\(name)")
  }

  private func show(joules: Int, busySeconds: Int) throws {
    try workshop.sandbox.write("cpu  \(busySeconds)00 0 0 5 0 0 0 0 0 0\n", to: "machine/proc/stat")
    try show("energy_uj", "\(joules)000000")
  }

  private func beginJob() throws {
    try workshop.jobrun("submit", "--detach", "hold", environment: environment)
    try workshop.awaitReady(1)
  }

  private func endJob() throws -> JobStatus {
    let gate = try workshop.openGate()
    try workshop.jobrun("wait", "1", environment: environment)
    gate.signal(9)
    return try workshop.show(1)
  }

  @Test func `a job is told to have had its part of it, and by which rule`() throws {
    try beginJob()
    try show(joules: 1_004, busySeconds: 11)
    let job = try endJob()
    let (energy, work) = (try #require(job.use.processorJoules), try #require(job.use.cpuSeconds))
    #expect(work > 0 && abs(energy - 4 * work) <= 0.001, "\(energy) J in \(work) s")
    let shown = try workshop.jobrun("show", "1").output
    #expect(shown.contains("J, by its share of their time"), "\(shown)")
    #expect(try workshop.jobrun("usage").output.contains("  energy"))
  }

  @Test func `where it cannot be known nothing is told, and never 0`() throws {
    try show("energy_uj", "")
    try beginJob()
    #expect(try endJob().use.processorJoules == nil)
    #expect(try !workshop.jobrun("show", "1").output.contains("energy"))
    #expect(try !workshop.jobrun("usage").output.contains("energy"))
    let usage = try workshop.jobrun("usage", "--json").output
    #expect(usage.contains("\"processorJoules\":null,\"gpuJoules\":null"), "\(usage)")
  }

  @Test func `a job that the next runner took over is unknown, and so is the sum of all`() throws {
    try beginJob()
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    try workshop.jobrun("list", environment: environment)
    try show(joules: 1_004, busySeconds: 11)
    #expect(try endJob().use.processorJoules == nil)
    let usage = try workshop.jobrun("usage", "--json").output
    #expect(usage.contains("\"energyIsWhole\":false"), "\(usage)")
  }
}

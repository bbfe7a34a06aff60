import JobCore
import JobWire
import LinuxSystem
import MachineProbes
import TestKit
import Testing

/// The real helper as a real child, with a stub of NVIDIA's library.
///
/// This machine has no NVIDIA GPU: these tests prove our requests and our reaction to each answer, not the
/// behaviour of NVIDIA's driver.
@Suite struct GPUProbeTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  /// Nil settings: without a stub.
  private func probe(
    _ settings: String?, timeout: Interval = .seconds(180), helper: String? = nil
  ) throws -> GPUProbe {
    // A crash on purpose needs no report by the Swift runtime, which sanitizers do not bear.
    var environment = [
      "PATH=/usr/bin:/bin", "JOBRUN_NVML=\(sandbox.path("libnvidia-ml.so.1"))",
      "SWIFT_BACKTRACE=enable=no",
    ]
    if let settings {
      try StubLibrary.build(
        "StubNVML/stub_nvml.c", at: sandbox.path("libnvidia-ml.so.1"))
      environment.append("STUB_NVML=\(settings)")
    }
    return GPUProbe(
      helper: try helper ?? BuiltProducts.path("jobrun-helper"),
      environment: environment.map { Array($0.utf8) }, timeout: timeout,
      tree: SystemTree(root: sandbox.path("no-root")))
  }

  private func read(_ settings: String?) throws -> GPUReading {
    var probe = try probe(settings)
    return probe.read()
  }

  @Test func `two GPUs are found with name, memory and utilisation`() throws {
    let reading = try read("two")
    #expect(
      reading.gpus.map(\.uuid) == [
        "GPU-00000000-0000-0000-0000-000000000000", "GPU-00000000-0000-0000-0000-000000000001",
      ])
    #expect(reading.gpus.map(\.name) == ["Stub GPU 0", "Stub GPU 1"])
    #expect(reading.gpus.map(\.memoryTotalBytes) == [8 << 30, 8 << 30])
    #expect(reading.gpus.map(\.memoryFreeBytes) == [7680 << 20, 7680 << 20])
    #expect(reading.gpus.map(\.processes) == [0, 0])
    #expect(reading.utilisation.values.sorted() == [0, 0])
    #expect(reading.why == "2 NVIDIA GPUs, reported by the driver")
  }

  @Test func `a process of somebody else is counted on its GPU alone`() throws {
    let reading = try read("two,foreign=1,processes=3")
    #expect(reading.gpus.map(\.processes) == [0, 3])
    #expect(reading.utilisation[reading.gpus[1].uuid] == 97)
  }

  @Test func `more processes than there is room for are still many`() throws {
    #expect(try read("two,foreign=0,processes=5000").gpus.map(\.processes) == [256, 0])
  }

  @Test func `memory comes through to the byte`() throws {
    let gpus = try read("gpus=1,total=85899345920,free=12345678901").gpus
    #expect(gpus.map(\.memoryTotalBytes) == [85_899_345_920])
    #expect(gpus.map(\.memoryFreeBytes) == [12_345_678_901])
  }

  @Test(arguments: [
    ("init=9", "the NVIDIA driver is not loaded (nvmlInit_v2: NVML error 9, DRIVER_NOT_LOADED)"),
    ("init=18", "LIB_RM_VERSION_MISMATCH"), ("init=777", "NVML error 777"),
    ("gpus=0", "the NVIDIA driver reports no GPU"),
  ])
  func `a driver without GPUs is named with its reason`(settings: String, why: String) throws {
    let reading = try read(settings)
    #expect(reading.gpus.isEmpty)
    #expect(reading.why.contains(why))
    #expect(reading.why.contains("no render node of a real device"))
  }

  @Test func `a lost GPU is left out with its reason and the other one stays`() throws {
    let reading = try read("two,lost=1")
    #expect(reading.gpus.map(\.name) == ["Stub GPU 0"])
    #expect(
      reading.why
        == "1 NVIDIA GPU, reported by the driver; GPU 1 is left out: the GPU has fallen off the bus "
        + "(nvmlDeviceGetName: NVML error 15, GPU_IS_LOST)")
  }

  @Test func `a GPU that MIG splits is left out with its reason`() throws {
    let reading = try read("two,mig=0")
    #expect(reading.gpus.map(\.name) == ["Stub GPU 1"])
    #expect(reading.why.contains("GPU 0 (Stub GPU 0) is left out: it is split by MIG"))
  }

  @Test func `what the driver may not tell does not make a GPU unusable`() throws {
    let reading = try read("gpus=1,noutilisation,noprocesses")
    #expect(reading.gpus.count == 1)
    #expect(reading.utilisation.isEmpty)
    #expect(reading.why.contains("the processes on GPU 0 are not known: not permitted"))
  }

  @Test(arguments: ["hang", "two,hang=1"])
  func `a hanging driver is killed at its deadline and that is the answer`(
    settings: String
  ) throws {
    var probe = try probe(settings, timeout: .milliseconds(300))
    let call = probe.start()
    let descriptor = try #require(call.descriptor)
    #expect(try !Poll.wait(descriptor, until: call.deadline))
    var helper: Int32?
    // In the middle of exec a process shows no environment.
    try WaitFor.answer("the helper") {
      helper = sandboxHelper()
      return helper != nil
    }
    let process = try #require(helper)
    let reading = probe.finish(call)
    #expect(reading.gpus.isEmpty)
    #expect(reading.why.hasPrefix("the NVIDIA driver did not answer within 300ms"))
    try WaitFor.end(ofProcess: process)
    #expect(probe.read().why.hasPrefix("the NVIDIA driver did not answer"))
  }

  /// The helper that was given this sandbox's stub.
  private func sandboxHelper() -> Int32? {
    let entries = (try? File.names(in: "/proc")) ?? []
    let wanted = Array("JOBRUN_NVML=\(sandbox.path("libnvidia-ml.so.1"))\0".utf8)
    return entries.compactMap { Int32($0) }.first { pid in
      let environment = (try? File.readAll("/proc/\(pid)/environ")) ?? []
      return environment.firstRange(of: wanted) != nil
    }
  }

  @Test func `no library, a truncated one and one without a function are named`() throws {
    #expect(try read(nil).why.contains("cannot open shared object file"))
    try sandbox.write("\u{7f}ELF", to: "libnvidia-ml.so.1")
    #expect(try read(nil).why.contains("file too short"))
    try StubLibrary.build(
      text: "int nvmlInit_v2(void) { return 0; }\n", at: sandbox.path("libnvidia-ml.so.1"))
    #expect(try read(nil).why.contains("has no function nvmlShutdown"))
  }

  @Test func `a driver that crashes takes only the helper with it`() throws {
    try StubLibrary.build(
      text: "__attribute__((constructor)) static void boom(void) { __builtin_trap(); }\n",
      at: sandbox.path("libnvidia-ml.so.1"))
    #expect(try read(nil).why.contains("looking for NVIDIA GPUs ended with SIGILL in the driver"))
  }

  @Test func `a helper that is missing or answers nonsense is named`() throws {
    var missing = try probe(nil, helper: "/nonexistent/jobrun-helper")
    #expect(missing.read().why.contains("the GPUs could not be detected"))
    var nonsense = try probe(nil, helper: "/bin/echo")
    #expect(nonsense.read().why.contains("jobrun-helper ended without an answer (exit code 0)"))
  }

  @Test func `facts and report carry the GPUs, their leases and the reason`() throws {
    let gpus = try read("two,foreign")
    let reading = MachineProbe(stateDirectory: "/").read(gpus: gpus)
    #expect(reading.facts.gpus == gpus.gpus)
    #expect(reading.facts.gpuWhy == gpus.why)
    let report = reading.report(
      leases: [gpus.gpus[0].uuid: JobNumber(12)], slotsTotal: 4, slotsUsed: 1)
    #expect(report.devices.map(\.leasedBy) == [JobNumber(12), nil])
    #expect(report.devices.map(\.utilisation) == [0, 97])
    #expect(report.gpuWhy == gpus.why)
  }
}

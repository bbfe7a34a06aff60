import JobCore
import MachineProbes
import TestKit
import Testing

/// Every probe must answer any content, with a reason, and never crash.
@Suite struct ProbeConformanceTests {
  /// Every file that any probe reads.
  private static let paths = [
    "/sys/class/power_supply/BAT0/type", "/sys/class/power_supply/BAT0/status",
    "/sys/class/power_supply/BAT0/capacity", "/sys/class/power_supply/AC/type",
    "/sys/class/power_supply/AC/online", "/sys/firmware/acpi/platform_profile",
    "/proc/net/route", "/proc/net/ipv6_route",
    "/sys/class/net/eth0/operstate", "/proc/meminfo", "/proc/self/cgroup",
    "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat",
    "/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
    "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    "/proc/self/status", "/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io",
    "/dev/kfd", "/sys/class/drm/renderD128/device/class", "/sys/class/drm/renderD128/device/vendor",
    "/sys/class/kfd/kfd/topology/nodes/1/gpu_id",
    "/sys/class/kfd/kfd/topology/nodes/1/properties",
  ]

  /// Text that looks right at first sight, and overflows, is cut short or is no text.
  private static let garbage = [
    "", "\n", "\n\n\n", " ", ":", "::", "0::", "0::/\n4:memory,cpu:/\n", "-1", "0", "max",
    "99999999999999999999999999", "18446744073709551615", "9223372036854775807 1",
    "9223372036854775807 9223372036854775807", "max max", "some avg10=", "some avg10=nan",
    "some avg10=-5", "some avg10=1e999", "MemTotal:", "MemTotal: 18446744073709551615 kB\n",
    "MemTotal: 4 kB\nMemAvailable: 18014398509481983 kB", "Cpus_allowed_list:",
    "Cpus_allowed_list: 9-3", "Cpus_allowed_list: 0-4294967295", "Cpus_allowed_list: -,-,-",
    "Iface\neth0 0 0 FFFFFFFFFFFFFFFF 0 0 0 0", "Iface\n\t\t\t\t\t\t\t\t\n",
    "Iface\n../../etc 00000000 0 0003 0 0 0 00000000", "drm_render_minor 99999999999999999999",
    "0x", "0xzz", "Battery", "\u{1b}[31m\u{7}",
  ]

  private func expectAnswer(_ name: String, _ probe: some Probe, _ tree: SystemTree) {
    #expect(!probe.read(tree).why.isEmpty, "\(name) gave no reason")
  }

  private func expectAnswers(_ tree: SystemTree) {
    expectAnswer("power", PowerProbe(), tree)
    expectAnswer("energy", BatteryProbe(), tree)
    expectAnswer("network", NetworkProbe(), tree)
    expectAnswer("memory", MemoryProbe(), tree)
    expectAnswer("processors", ProcessorProbe(), tree)
    expectAnswer("pressure", PressureProbe(), tree)
    expectAnswer("disk", DiskProbe(path: "/var/lib"), tree)
    expectAnswer("render nodes", RenderNodeProbe(), tree)
    let reading = MachineProbe(stateDirectory: "/var/lib", tree: tree).read(gpus: .unknown)
    #expect(reading.facts.processors >= 1)
    #expect(reading.facts.memoryAvailableBytes <= reading.facts.memoryTotalBytes)
    #expect(reading.facts.diskFreeBytes <= reading.facts.diskTotalBytes)
    #expect(!reading.facts.network.why.isEmpty)
    #expect(!reading.facts.power.why.isEmpty)
  }

  @Test func `a missing root and an empty one are answered`() throws {
    expectAnswers(SystemTree(root: "/nonexistent"))
    try withFakeTree(["/unrelated": ""]) { expectAnswers($0) }
  }

  @Test(arguments: garbage)
  func `the same garbage in every file is answered`(text: String) throws {
    var files: [String: String] = [:]
    for path in Self.paths { files[path] = text }
    let links = ["/sys/class/drm/renderD128/device/driver": "../../amdgpu"]
    try withFakeTree(files, links: links) { expectAnswers($0) }
  }

  @Test(arguments: UInt64(1)...20)
  func `random garbage is answered`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var files: [String: String] = [:]
    for path in Self.paths {
      let lines = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        Self.garbage.randomElement(using: &generator) ?? ""
      }
      files[path] = lines.joined(separator: Bool.random(using: &generator) ? "\n" : " ")
    }
    try withFakeTree(files) { expectAnswers($0) }
  }

  @Test func `folders in the place of files, and bytes that are no text, are answered`() throws {
    var folders: [String: String] = [:]
    for path in Self.paths { folders["\(path)/inside"] = "x" }
    try withFakeTree(folders) { expectAnswers($0) }
    let bytes = String(decoding: (0...255).map { UInt8($0) }, as: UTF8.self)
    var files: [String: String] = [:]
    for path in Self.paths { files[path] = bytes }
    try withFakeTree(files) { expectAnswers($0) }
  }

  @Test func `this machine is answered with facts that hold together`() {
    let reading = MachineProbe(stateDirectory: "/tmp").read(gpus: .unknown)
    #expect(reading.facts.memoryTotalBytes > 64 << 20)
    #expect(reading.facts.memoryAvailableBytes > 0)
    #expect(reading.facts.diskTotalBytes > 0)
    #expect(reading.processors.fact ?? 0 >= 1)
  }
}

import JobWire
import MachineProbes
import Testing

/// Memory, processors, disk and pressure.
@Suite struct LimitProbeTests {
  private let meminfo = "MemTotal:       16000 kB\nMemFree:  100 kB\nMemAvailable:   8000 kB\n"
  private let kibibyte: UInt64 = 1024

  @Test func `without a control group the whole machine counts`() throws {
    let reading = try withFakeTree(["/proc/meminfo": meminfo]) { MemoryProbe().read($0) }
    #expect(
      reading
        == .present(
          .init(totalBytes: 16000 * kibibyte, availableBytes: 8000 * kibibyte),
          why: "/proc/meminfo"))
  }

  @Test func `the smallest limit between our group and the root counts, without cached files`()
    throws
  {
    let group = "/sys/fs/cgroup/user/session"
    let reading = try withFakeTree([
      "/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/user/session\n",
      "\(group)/memory.max": "max\n", "/sys/fs/cgroup/user/memory.max": "4096000\n",
      "/sys/fs/cgroup/user/memory.current": "3000000\n",
      "/sys/fs/cgroup/user/memory.stat": "anon 1\ninactive_file 2000000\n",
    ]) { MemoryProbe().read($0) }
    #expect(
      reading
        == .present(
          .init(totalBytes: 4_096_000, availableBytes: 3_096_000),
          why: "the control group's memory limit"))
  }

  @Test func `a limit of version 1 counts, and "no limit" there does not`() throws {
    let folder = "/sys/fs/cgroup/memory"
    let limited = try withFakeTree([
      "/proc/meminfo": meminfo, "/proc/self/cgroup": "4:memory:/box\n",
      "\(folder)/box/memory.limit_in_bytes": "1000000\n",
      "\(folder)/box/memory.usage_in_bytes": "1200000\n",
      "\(folder)/memory.limit_in_bytes": "9223372036854771712\n",
    ]) { MemoryProbe().read($0) }
    #expect(limited.fact == .init(totalBytes: 1_000_000, availableBytes: 0))
    let free = try withFakeTree([
      "/proc/meminfo": meminfo, "/proc/self/cgroup": "4:memory:/\n",
      "\(folder)/memory.limit_in_bytes": "9223372036854771712\n",
    ]) { MemoryProbe().read($0) }
    #expect(free.fact?.totalBytes == 16000 * kibibyte)
  }

  @Test(arguments: [("0-3,8", 5), ("0", 1), ("0-1", 2), ("2,4,6-7", 4)])
  func `the allowed processors are counted`(list: String, count: Int) throws {
    let status = "Name:\tjobrund\nCpus_allowed:\tff\nCpus_allowed_list:\t\(list)\n"
    let reading = try withFakeTree(["/proc/self/status": status]) { ProcessorProbe().read($0) }
    #expect(reading.fact == count)
  }

  @Test(arguments: [("max 100000", 8), ("150000 100000", 2), ("50000 100000", 1)])
  func `a processor quota counts, rounded up`(maximum: String, count: Int) throws {
    let reading = try withFakeTree([
      "/proc/self/status": "Cpus_allowed_list:\t0-7\n", "/proc/self/cgroup": "0::/box\n",
      "/sys/fs/cgroup/box/cpu.max": "\(maximum)\n",
    ]) { ProcessorProbe().read($0) }
    #expect(reading.fact == count)
  }

  @Test func `a processor quota of version 1 counts`() throws {
    let reading = try withFakeTree([
      "/proc/self/status": "Cpus_allowed_list:\t0-7\n",
      "/proc/self/cgroup": "2:cpu,cpuacct:/box\n",
      "/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us": "300000\n",
      "/sys/fs/cgroup/cpu/box/cpu.cfs_period_us": "100000\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    ]) { ProcessorProbe().read($0) }
    #expect(reading == .present(3, why: "the control group's processor quota"))
  }

  @Test func `the disk of a folder that does not exist yet is that of the folder above`() throws {
    let reading = try withFakeTree(["/state/x": ""]) {
      DiskProbe(path: "/state/of/nobody").read($0)
    }
    #expect(reading.fact?.totalBytes ?? 0 > 0)
  }

  @Test func `pressure is the share of the last ten seconds`() throws {
    let text = "some avg10=1.33 avg60=4.10 avg300=1.80 total=1\nfull avg10=0.50 avg60=0 total=0\n"
    let reading = try withFakeTree([
      "/proc/pressure/cpu": text, "/proc/pressure/memory": text, "/proc/pressure/io": text,
    ]) { PressureProbe().read($0) }
    #expect(reading.fact == .init(cpu: 1.33, memory: 1.33, io: 1.33))
  }
}

import JobCore
import MachineProbes
import Testing

/// GPUs that NVIDIA's library does not report.
///
/// This machine has no such device: the files are written as kernel 6 shows them.
@Suite struct RenderNodeProbeTests {
  private func read(
    _ files: [String: String] = [:], driver: String? = nil
  ) throws -> Reading<[GPU]> {
    var tree: [String: String] = ["/sys/class/drm/card0/dev": "226:0\n"]
    for (name, text) in files {
      tree[name.hasPrefix("/") ? name : "/sys/class/drm/renderD128/device/\(name)"] = text
    }
    let links = driver.map { ["/sys/class/drm/renderD128/device/driver": "../../../bus/\($0)"] }
    return try withFakeTree(tree, links: links ?? [:]) { RenderNodeProbe().read($0) }
  }

  private let amd = [
    "vendor": "0x1002\n", "class": "0x030000\n", "mem_info_vram_total": "8589934592\n",
    "mem_info_vram_used": "1073741824\n",
  ]

  @Test func `without render nodes there is no GPU, and the reason says where it was looked`()
    throws
  {
    #expect(
      try read()
        == .absent(because: "no render node of a real device in /sys/class/drm"))
  }

  @Test func `a real device is a GPU with its own memory`() throws {
    let gpu = try #require(try read(amd, driver: "amdgpu").fact?.first)
    #expect(gpu.name == "AMD GPU (amdgpu, renderD128)")
    #expect(gpu.memoryTotalBytes == 8 << 30)
    #expect(gpu.memoryFreeBytes == 7 << 30)
  }

  @Test func `a device on a chip has no PCI numbers and is a GPU`() throws {
    let gpu = try #require(try read(driver: "panthor").fact?.first)
    #expect(gpu.name == "Integrated GPU (panthor, renderD128)")
  }

  @Test(arguments: ["vgem", "vkms", "faux_driver", "virtio_gpu", "virtio-pci"])
  func `a software renderer is not a GPU`(driver: String) throws {
    let reading = try read(["vendor": "0x1af4\n", "class": "0x038000\n"], driver: driver)
    #expect(reading.fact == nil)
    #expect(reading.why.contains("renderD128 is a software renderer (\(driver))"))
  }

  @Test func `a render node of NVIDIA's driver is left to NVIDIA's library`() throws {
    let reading = try read(["vendor": "0x10de\n", "class": "0x030000\n"], driver: "nvidia")
    #expect(reading.fact == nil)
    #expect(reading.why.contains("NVIDIA"))
  }

  @Test func `a device of another class, or without a driver, is not a GPU`() throws {
    #expect(try read(["class": "0x040300\n"], driver: "snd").fact == nil)
    #expect(try read(amd).fact == nil)
  }

  private let computeNodes = [
    "/dev/kfd": "", "/sys/class/kfd/kfd/topology/nodes/0/gpu_id": "0\n",
    "/sys/class/kfd/kfd/topology/nodes/1/gpu_id": "51123\n",
    "/sys/class/kfd/kfd/topology/nodes/1/properties":
      "cpu_cores_count 0\nsimd_count 240\ndrm_render_minor 128\nunique_id 3735928559\n",
    "/sys/class/kfd/kfd/topology/nodes/1/mem_banks/0/properties":
      "heap_type 1\nsize_in_bytes 17179869184\n",
  ]

  @Test func `a compute node without a render node is a GPU, and a processor is not`() throws {
    let gpus = try #require(try read(computeNodes).fact)
    #expect(gpus.map(\.uuid) == ["GPU-00000000deadbeef"])
    #expect(gpus.map(\.memoryTotalBytes) == [16 << 30])
  }

  @Test func `one device with a render node and a compute node is one GPU`() throws {
    let reading = try read(computeNodes.merging(amd) { $1 }, driver: "amdgpu")
    #expect(reading.fact?.count == 1)
  }

  @Test func `compute nodes without the device that opens them are nothing`() throws {
    var files = computeNodes
    files["/dev/kfd"] = nil
    #expect(try read(files).fact == nil)
  }
}

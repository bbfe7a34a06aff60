package import JobCore

/// GPUs of other vendors than NVIDIA: DRM render nodes of real devices, and AMD's compute nodes.
///
/// `/sys/class/drm/renderD*/device` is the device of a render node, `/sys/class/kfd` lists ROCm's compute
/// devices (present only with `/dev/kfd`). A software renderer has a render node too and is not a GPU. NVIDIA's
/// driver is left to NVML: where that fails, CUDA fails as well.
package struct RenderNodeProbe: Probe {
  private static let folder = "/sys/class/drm"
  /// Drivers without hardware or, for virtio, with an unknown device of the host.
  private static let softwareDrivers: Set<String> = [
    "vgem", "vkms", "faux_driver", "virtio_gpu", "virtio-pci", "bochs-drm", "cirrus", "qxl",
    "simple-framebuffer", "simpledrm", "hyperv_drm", "vboxvideo",
  ]

  package init() {}

  package func read(_ tree: SystemTree) -> Reading<[GPU]> {
    var gpus: [GPU] = []
    var remarks: [String] = []
    for name in tree.entries(Self.folder) where name.hasPrefix("renderD") {
      switch Self.device(name, in: tree) {
      case .present(let gpu, _): gpus.append(gpu)
      case .absent(let because): remarks.append(because)
      }
    }
    gpus += ComputeNodes.gpus(in: tree, notBehind: gpus)
    guard !gpus.isEmpty else {
      let reason = ["no render node of a real device in \(Self.folder)"] + remarks
      return .absent(because: reason.joined(separator: "; "))
    }
    let names = gpus.map { $0.name }.joined(separator: ", ")
    return .present(gpus, why: (["found in /sys: \(names)"] + remarks).joined(separator: "; "))
  }

  /// The device behind one render node, or why it is not a GPU that a job can have.
  private static func device(_ node: String, in tree: SystemTree) -> Reading<GPU> {
    let path = "\(folder)/\(node)/device"
    guard let driver = tree.linkName("\(path)/driver") else {
      return .absent(because: "\(node) has no driver")
    }
    if softwareDrivers.contains(driver) {
      return .absent(because: "\(node) is a software renderer (\(driver))")
    }
    if driver == "nvidia" {
      return .absent(
        because: "\(node) is an NVIDIA device, which only NVIDIA's management library reports")
    }
    if let kind = tree.word("\(path)/class"), !isDisplayOrAccelerator(kind) {
      return .absent(because: "\(node) is not a display or accelerator (class \(kind))")
    }
    let vendor = vendorName(tree.word("\(path)/vendor"))
    let bytes = { (file: String) in tree.word("\(path)/\(file)").flatMap(UInt64.init) ?? 0 }
    let total = bytes("mem_info_vram_total")
    let gpu = GPU(
      uuid: tree.linkName(path).map { "\(node)@\($0)" } ?? node,
      name: "\(vendor) GPU (\(driver), \(node))", memoryTotalBytes: total,
      memoryFreeBytes: total - min(total, bytes("mem_info_vram_used")), processes: 0)
    return .present(gpu, why: node)
  }

  /// PCI base classes 0x03 (display controller) and 0x12 (processing accelerator).
  static func isDisplayOrAccelerator(_ kind: String) -> Bool {
    guard kind.hasPrefix("0x"), let number = UInt32(kind.dropFirst(2), radix: 16) else {
      return false
    }
    return number >> 16 == 0x03 || number >> 16 == 0x12
  }

  /// PCI vendor numbers; a device on a chip has none.
  static func vendorName(_ number: String?) -> String {
    switch number {
    case "0x1002": "AMD"
    case "0x8086": "Intel"
    case "0x10de": "NVIDIA"
    case nil: "Integrated"
    case .some(let other): "Vendor \(other)"
    }
  }
}

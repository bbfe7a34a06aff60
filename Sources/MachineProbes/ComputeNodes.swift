internal import JobCore

/// AMD's compute topology: `/sys/class/kfd/kfd/topology/nodes/N`, one folder per processor or GPU.
///
/// A GPU has a `gpu_id` that is not 0; `properties` names its render node (kernel:
/// drivers/gpu/drm/amd/amdkfd/kfd_topology.c).
enum ComputeNodes {
  private static let folder = "/sys/class/kfd/kfd/topology/nodes"

  /// GPUs without a render node, such as in a container that has only `/dev/kfd`.
  static func gpus(in tree: SystemTree, notBehind known: [GPU]) -> [GPU] {
    guard tree.exists("/dev/kfd") else { return [] }
    return tree.entries(folder).compactMap { node in
      guard let identifier = tree.word("\(folder)/\(node)/gpu_id").flatMap(UInt64.init),
        identifier != 0
      else { return nil }
      let properties = properties(tree.text("\(folder)/\(node)/properties") ?? "")
      let renderNode = "renderD\(properties["drm_render_minor"] ?? 0)"
      if known.contains(where: { $0.uuid == renderNode || $0.uuid.hasPrefix("\(renderNode)@") }) {
        return nil
      }
      let unique = properties["unique_id"] ?? 0
      return GPU(
        uuid: unique == 0 ? "kfd-\(identifier)" : "GPU-" + hexadecimal(unique),
        name: "AMD GPU (kfd node \(node))",
        memoryTotalBytes: memory(tree, node), memoryFreeBytes: memory(tree, node), processes: 0)
    }
  }

  /// Sixteen digits, as ROCm writes it.
  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Lines of a name and a decimal number.
  static func properties(_ text: String) -> [String: UInt64] {
    var values: [String: UInt64] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, let value = UInt64(words[1]) { values[String(words[0])] = value }
    }
    return values
  }

  /// Heap types 1 and 2 are the GPU's own memory.
  private static func memory(_ tree: SystemTree, _ node: String) -> UInt64 {
    let banks = "\(folder)/\(node)/mem_banks"
    var total: UInt64 = 0
    for bank in tree.entries(banks) {
      let properties = properties(tree.text("\(banks)/\(bank)/properties") ?? "")
      guard properties["heap_type"] == 1 || properties["heap_type"] == 2 else { continue }
      let (sum, overflow) = total.addingReportingOverflow(properties["size_in_bytes"] ?? 0)
      total = overflow ? total : sum
    }
    return total
  }
}

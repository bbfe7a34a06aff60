/// Writes and verifies patterns over most of a GPU's free memory, chunk by chunk.
///
/// Every chunk is written before any is verified, so that a write that damages another chunk is found too.
struct MemoryCheck {
  /// How it ended, without a failure.
  enum Outcome: Equatable {
    case passed(bytesChecked: Int)
    case stopped
  }

  /// Nine tenths: the driver and a display need the rest.
  static let shareOfFreeMemory = 0.9
  /// Bytes of one allocation: small enough that a fragmented GPU still gives most of its memory.
  var blockBytes = 1 << 30
  /// The bytes between two checks for a stop request; a multiple of four.
  var chunkBytes = 32 << 20

  /// Called after each chunk: bytes written or verified so far, and the total.
  typealias Report = (_ completed: Int, _ total: Int) -> Void

  /// Checks the memory until it has passed, a fault is found, or `isStopped` returns true.
  func run(
    on device: borrowing CUDADevice, isStopped: () -> Bool, report: Report
  ) throws(CheckFailure) -> Outcome {
    let blocks = try allocate(on: device)
    defer { for block in blocks { device.free(block) } }
    let chunks = blocks.flatMap(split)
    var pass = Pass(
      chunks: chunks, noise: MemoryPattern.noise(words: chunkBytes / 4), chunkBytes: chunkBytes)
    report(0, pass.bytesTotal)
    for pattern in MemoryPattern.allCases {
      for isVerifying in [false, true] {
        for chunk in chunks.indices {
          if isStopped() { return .stopped }
          try pass.step(pattern, chunk, isVerifying, on: device)
          report(pass.bytesCompleted, pass.bytesTotal)
        }
      }
    }
    return .passed(bytesChecked: blocks.reduce(0) { $0 + $1.byteCount })
  }

  /// As many blocks as fit into the share; running out of memory is fine once there is one.
  private func allocate(on device: borrowing CUDADevice) throws(CheckFailure) -> [DeviceMemory] {
    let free = try device.bytesFree()
    var wanted = Int(Double(free) * Self.shareOfFreeMemory) / 4 * 4
    guard wanted > 0 else { throw .noMemory(freeBytes: free) }
    var blocks: [DeviceMemory] = []
    while wanted > 0 {
      do throws(CheckFailure) {
        blocks.append(try device.allocate(byteCount: min(wanted, blockBytes)))
      } catch {
        if blocks.isEmpty { throw error }
        break
      }
      wanted -= min(wanted, blockBytes)
    }
    return blocks
  }

  private func split(_ block: DeviceMemory) -> [DeviceMemory] {
    stride(from: 0, to: block.byteCount, by: chunkBytes).map { offset in
      DeviceMemory(
        address: block.address + UInt64(offset),
        byteCount: min(chunkBytes, block.byteCount - offset))
    }
  }
}

import TestKit

@testable import GPUCheckJob

/// A stub of the CUDA driver with built-in settings, so that tests in one process can differ.
///
/// This machine has no NVIDIA GPU: these tests prove the check's reaction to each answer.
struct StubbedDriver {
  private let sandbox: Sandbox
  let path: String

  init(_ settings: String) throws {
    sandbox = try Sandbox()
    path = sandbox.path("libcuda.so.1")
    try StubLibrary.build(
      "StubCUDA/stub_cuda.c", at: path, definitions: ["STUB_CUDA_DEFAULT=\"\(settings)\""])
  }

  /// Runs a check of small chunks; returns its reports.
  func check(
    stopAfter chunks: Int = .max
  ) throws(CheckFailure) -> (outcome: MemoryCheck.Outcome, reports: [Int], total: Int) {
    let device = try CUDADevice.first(of: try CUDALibrary(path: path))
    var reports: [Int] = []
    var total = 0
    let check = MemoryCheck(blockBytes: 1 << 20, chunkBytes: 1 << 18)
    let outcome = try check.run(
      on: device, isStopped: { reports.count > chunks },
      report: {
        reports.append($0)
        total = $1
      })
    return (outcome, reports, total)
  }
}

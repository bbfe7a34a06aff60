import TestKit
import Testing

@testable import GPUCheckJob

@Suite struct MemoryCheckTests {
  /// Nine tenths of 4 MiB, rounded down to whole words.
  private let share = Int(Double(4 << 20) * 0.9) / 4 * 4

  @Test func `sound memory passes and every byte of every pattern is reported`() throws {
    let driver = try StubbedDriver("memory=4194304")
    let (outcome, reports, total) = try driver.check()
    #expect(outcome == .passed(bytesChecked: share))
    #expect(total == share * MemoryPattern.allCases.count * 2)
    #expect(reports.first == 0)
    #expect(reports.last == total)
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `one flipped bit is found with its place and both words`() throws {
    let driver = try StubbedDriver("memory=4194304,corrupt=524289")
    #expect {
      try driver.check()
    } throws: { error in
      guard case .faulty(let fault) = error as? CheckFailure else { return false }
      return fault
        == Fault(
          pattern: "zeros", byteOffset: 524_288, written: 0, read: 0x1000, wrongWords: 1)
    }
  }

  @Test func `a byte that is stuck at zero is found by the next pattern`() throws {
    let driver = try StubbedDriver("memory=4194304,stuck=4")
    #expect {
      try driver.check()
    } throws: { error in
      guard case .faulty(let fault) = error as? CheckFailure else { return false }
      return fault.pattern == "ones" && fault.byteOffset == 4 && fault.read == 0xFFFF_FF00
    }
  }

  @Test func `a stop is obeyed between two chunks`() throws {
    let driver = try StubbedDriver("memory=4194304")
    let (outcome, reports, total) = try driver.check(stopAfter: 3)
    #expect(outcome == .stopped)
    #expect(reports.count == 4)
    #expect(reports.last == 3 << 18)
    #expect(total > 3 << 18)
  }

  @Test func `all memory is given back, also after a fault`() throws {
    let driver = try StubbedDriver("memory=4194304,corrupt=0")
    let library = try CUDALibrary(path: driver.path)
    let device = try CUDADevice.first(of: library)
    let before = try device.bytesFree()
    let check = MemoryCheck(blockBytes: 1 << 20, chunkBytes: 1 << 18)
    #expect(throws: CheckFailure.self) {
      try check.run(on: device, isStopped: { false }, report: { _, _ in })
    }
    #expect(try device.bytesFree() == before)
  }

  @Test(arguments: [
    ("init=803", "cuInit failed: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)"),
    ("init=12345", "cuInit failed: an unknown CUDA error (12345)"),
    ("gpus=0", "the CUDA driver sees no GPU"),
    ("alloc=2", "cuMemAlloc_v2 failed: CUDA_ERROR_OUT_OF_MEMORY (2)"),
    ("memory=3", "the GPU has too little free memory to check: 3 bytes"),
    ("copy=700", "cuMemcpyDtoH_v2 failed: CUDA_ERROR_ILLEGAL_ADDRESS (700)"),
  ])
  func `a failing driver is named`(settings: String, message: String) throws {
    let driver = try StubbedDriver(settings)
    #expect {
      try driver.check()
    } throws: {
      "\($0)" == message
    }
  }

  @Test func `a missing driver is named, and so is one without a function`() throws {
    #expect {
      try CUDALibrary(path: "/nonexistent/libcuda.so.1")
    } throws: {
      "\($0)".contains("cannot open shared object file")
    }
    try withSandbox { sandbox in
      let path = sandbox.path("libcuda.so.1")
      try StubLibrary.build(text: "int cuInit(unsigned flags) { return (int)flags; }\n", at: path)
      #expect(throws: CheckFailure.noFunction("cuGetErrorName")) { try CUDALibrary(path: path) }
    }
  }
}

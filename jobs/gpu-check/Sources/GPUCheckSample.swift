internal import BackgroundTasks
internal import Foundation

/// The sample job that uses a GPU: it checks most of one GPU's free memory.
///
/// jobrun submit gpu-check
///
/// JOBRUN_CUDA names the driver's library to load instead of libcuda.so.1: for unusual installations and
/// for tests with the stub of Tests/Fixtures/StubCUDA.
package enum GPUCheckSample {
  package static func main() -> Never {
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: "io.jobrun.samples.gpu-check.*", handler: checkMemory)
    BGTaskScheduler.shared.runUntilComplete()
  }

  /// One job: progress in bytes written and verified, stoppable between two chunks.
  @Sendable
  private static func checkMemory(_ task: BGContinuedProcessingTask) async throws {
    let named = ProcessInfo.processInfo.environment["JOBRUN_CUDA"] ?? ""
    let library = try CUDALibrary(path: named.isEmpty ? "libcuda.so.1" : named)
    let device = try CUDADevice.first(of: library)
    task.unit = .bytes
    task.updateSubtitle(device.name)
    let outcome = try MemoryCheck().run(
      on: device, isStopped: { Task.isCancelled },
      report: { completed, total in
        task.progress.totalUnitCount = Int64(total)
        task.progress.completedUnitCount = Int64(completed)
      })
    switch outcome {
    case .stopped:
      throw CancellationError()
    case .passed(let bytes):
      task.message = "\(bytes >> 20) MiB of \(device.name) kept all \(MemoryPattern.count) patterns"
    }
  }
}

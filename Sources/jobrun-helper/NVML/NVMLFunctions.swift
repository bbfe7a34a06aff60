internal import LinuxSystem

/// The functions of NVIDIA's management library that the survey calls, looked up at run time.
///
/// Signatures: nvml.h of version 13; the calls exist since driver 450 (2020). Valid while the library is
/// loaded.
@safe
struct NVMLFunctions {
  typealias Result = Int32
  typealias Text = @convention(c) (OpaquePointer, UnsafeMutablePointer<CChar>, UInt32) -> Result

  let initialise: @convention(c) () -> Result
  let shutDown: @convention(c) () -> Result
  let count: @convention(c) (UnsafeMutablePointer<UInt32>) -> Result
  let handle: @convention(c) (UInt32, UnsafeMutablePointer<OpaquePointer?>) -> Result
  let name: Text
  let uuid: Text
  let memory: @convention(c) (OpaquePointer, UnsafeMutableRawPointer) -> Result
  let utilisation: @convention(c) (OpaquePointer, UnsafeMutableRawPointer) -> Result
  let processes:
    @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer?) -> Result
  /// Nil in a library older than MIG.
  let split:
    (
      @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) ->
        Result
    )?

  /// Nil in a library from before 2018.
  let energy: (@convention(c) (OpaquePointer, UnsafeMutablePointer<UInt64>) -> Result)?

  init(in library: borrowing DynamicLibrary) throws(NVMLLibrary.LoadError) {
    initialise = try Self.function("nvmlInit_v2", in: library)
    shutDown = try Self.function("nvmlShutdown", in: library)
    unsafe count = try Self.function("nvmlDeviceGetCount_v2", in: library)
    unsafe handle = try Self.function("nvmlDeviceGetHandleByIndex_v2", in: library)
    unsafe name = try Self.function("nvmlDeviceGetName", in: library)
    unsafe uuid = try Self.function("nvmlDeviceGetUUID", in: library)
    unsafe memory = try Self.function("nvmlDeviceGetMemoryInfo", in: library)
    unsafe utilisation = try Self.function("nvmlDeviceGetUtilizationRates", in: library)
    // The same structure in both versions; the third came with driver 510.
    let listing = "nvmlDeviceGetComputeRunningProcesses"
    unsafe processes = try Self.function("\(listing)_v3", or: "\(listing)_v2", in: library)
    unsafe split = try? Self.function("nvmlDeviceGetMigMode", in: library)
    unsafe energy = try? Self.function("nvmlDeviceGetTotalEnergyConsumption", in: library)
  }

  private static func function<Function>(
    _ name: String, or older: String? = nil, in library: borrowing DynamicLibrary
  ) throws(NVMLLibrary.LoadError) -> Function {
    for name in [name, older].compactMap(\.self) {
      guard let address = unsafe try? library.symbol(name) else { continue }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
    throw NVMLLibrary.LoadError(
      description: "the NVIDIA management library has no function \(name)")
  }
}

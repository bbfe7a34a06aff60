import Glibc

/// The functions of NVIDIA's CUDA driver that the check calls, looked up at run time.
///
/// Loading at run time lets the job be built, and report what is missing, on a machine without a driver.
/// Signatures: `cuda.h`, CUDA Driver API. The library stays loaded until the process ends, because the
/// driver starts threads of its own.
@safe struct CUDALibrary {
  typealias Result = Int32
  typealias Device = Int32
  typealias Context = OpaquePointer
  typealias Address = UInt64

  let initialise: @convention(c) (UInt32) -> Result
  let errorName: @convention(c) (Result, UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Result
  let deviceCount: @convention(c) (UnsafeMutablePointer<Int32>) -> Result
  let device: @convention(c) (UnsafeMutablePointer<Device>, Int32) -> Result
  let deviceName: @convention(c) (UnsafeMutablePointer<CChar>, Int32, Device) -> Result
  let retainContext: @convention(c) (UnsafeMutablePointer<Context?>, Device) -> Result
  let releaseContext: @convention(c) (Device) -> Result
  let useContext: @convention(c) (Context?) -> Result
  let synchronize: @convention(c) () -> Result
  let memoryInfo: @convention(c) (UnsafeMutablePointer<Int>, UnsafeMutablePointer<Int>) -> Result
  let allocate: @convention(c) (UnsafeMutablePointer<Address>, Int) -> Result
  let free: @convention(c) (Address) -> Result
  let fill: @convention(c) (Address, UInt32, Int) -> Result
  let upload: @convention(c) (Address, UnsafeRawPointer?, Int) -> Result
  let download: @convention(c) (UnsafeMutableRawPointer?, Address, Int) -> Result

  /// Loads the driver's library, by its usual name or from `path`.
  init(path: String = "libcuda.so.1") throws(CheckFailure) {
    guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw .noLibrary(unsafe dlerror().map { unsafe String(cString: $0) } ?? path)
    }
    unsafe initialise = try Self.function("cuInit", in: handle)
    unsafe errorName = try Self.function("cuGetErrorName", in: handle)
    unsafe deviceCount = try Self.function("cuDeviceGetCount", in: handle)
    unsafe device = try Self.function("cuDeviceGet", in: handle)
    unsafe deviceName = try Self.function("cuDeviceGetName", in: handle)
    unsafe retainContext = try Self.function("cuDevicePrimaryCtxRetain", in: handle)
    unsafe releaseContext = try Self.function("cuDevicePrimaryCtxRelease_v2", in: handle)
    unsafe useContext = try Self.function("cuCtxSetCurrent", in: handle)
    unsafe synchronize = try Self.function("cuCtxSynchronize", in: handle)
    unsafe memoryInfo = try Self.function("cuMemGetInfo_v2", in: handle)
    unsafe allocate = try Self.function("cuMemAlloc_v2", in: handle)
    unsafe free = try Self.function("cuMemFree_v2", in: handle)
    unsafe fill = try Self.function("cuMemsetD32_v2", in: handle)
    unsafe upload = try Self.function("cuMemcpyHtoD_v2", in: handle)
    unsafe download = try Self.function("cuMemcpyDtoH_v2", in: handle)
  }

  /// Turns a driver's code into a thrown failure that names the call and the code.
  func check(_ result: Result, _ function: String) throws(CheckFailure) {
    guard result != 0 else { return }
    var name: UnsafePointer<CChar>?
    let known = unsafe errorName(result, &name) == 0
    let text = unsafe known ? name.map { unsafe String(cString: $0) } : nil
    throw .call(function, code: result, name: text ?? "an unknown CUDA error")
  }

  private static func function<Function>(
    _ name: String, in handle: UnsafeMutableRawPointer
  ) throws(CheckFailure) -> Function {
    guard let symbol = unsafe dlsym(handle, name) else { throw .noFunction(name) }
    return unsafe unsafeBitCast(symbol, to: Function.self)
  }
}

/// One GPU with its primary context current on the calling thread; released with the value.
///
/// A context is current per thread: use the device on the thread that opened it.
struct CUDADevice: ~Copyable {
  private let library: CUDALibrary
  private let device: CUDALibrary.Device
  let name: String

  /// Opens the first GPU that the process may see; the runner pins the leased one by
  /// `CUDA_VISIBLE_DEVICES`, so that it is number 0 here.
  static func first(of library: CUDALibrary) throws(CheckFailure) -> CUDADevice {
    try library.check(library.initialise(0), "cuInit")
    var count: Int32 = 0
    try library.check(unsafe library.deviceCount(&count), "cuDeviceGetCount")
    guard count > 0 else { throw .noDevice }
    var device: CUDALibrary.Device = 0
    try library.check(unsafe library.device(&device, 0), "cuDeviceGet")
    let name = try name(of: device, library)
    var context: CUDALibrary.Context?
    try library.check(
      unsafe library.retainContext(&context, device), "cuDevicePrimaryCtxRetain")
    let opened = CUDADevice(library: library, device: device, name: name)
    try library.check(unsafe library.useContext(context), "cuCtxSetCurrent")
    return opened
  }

  deinit {
    _ = library.releaseContext(device)
  }

  func bytesFree() throws(CheckFailure) -> Int {
    var free = 0
    var total = 0
    try library.check(unsafe library.memoryInfo(&free, &total), "cuMemGetInfo_v2")
    return free
  }

  func allocate(byteCount: Int) throws(CheckFailure) -> DeviceMemory {
    var address: CUDALibrary.Address = 0
    try library.check(unsafe library.allocate(&address, byteCount), "cuMemAlloc_v2")
    return DeviceMemory(address: address, byteCount: byteCount)
  }

  func free(_ memory: DeviceMemory) {
    _ = library.free(memory.address)
  }

  /// Fills the memory with one word, and waits for the end of that.
  func fill(_ memory: DeviceMemory, with word: UInt32) throws(CheckFailure) {
    try library.check(
      library.fill(memory.address, word, memory.byteCount / 4), "cuMemsetD32_v2")
    try library.check(library.synchronize(), "cuCtxSynchronize")
  }

  /// Writes the first words of `words` to the whole of `memory`.
  func upload(_ words: [UInt32], to memory: DeviceMemory) throws(CheckFailure) {
    let result = unsafe words.withUnsafeBytes { bytes in
      unsafe library.upload(memory.address, bytes.baseAddress, min(memory.byteCount, bytes.count))
    }
    try library.check(result, "cuMemcpyHtoD_v2")
  }

  /// Reads the whole of `memory` into the first words of `words`.
  func download(_ memory: DeviceMemory, to words: inout [UInt32]) throws(CheckFailure) {
    let result = unsafe words.withUnsafeMutableBytes { bytes in
      unsafe library.download(
        bytes.baseAddress, memory.address, min(memory.byteCount, bytes.count))
    }
    try library.check(result, "cuMemcpyDtoH_v2")
  }

  private static func name(
    of device: CUDALibrary.Device, _ library: CUDALibrary
  ) throws(CheckFailure) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    try library.check(
      unsafe library.deviceName(&buffer, Int32(buffer.count), device), "cuDeviceGetName")
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A range of a GPU's memory; only its device can read and write it.
struct DeviceMemory: Equatable {
  var address: CUDALibrary.Address
  var byteCount: Int
}

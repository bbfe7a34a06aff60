internal import LinuxSystem

/// NVIDIA's management library, loaded, in Swift types.
struct NVMLLibrary: ~Copyable {
  /// `nvmlDevice_t`: owned by the driver, valid between initialisation and shutdown.
  @safe
  struct Device {
    let handle: OpaquePointer
  }

  /// The library cannot be used at all.
  struct LoadError: Error {
    var description: String
  }

  /// `nvmlMemory_t`, in bytes.
  struct Memory {
    var total: UInt64 = 0
    var free: UInt64 = 0
    var used: UInt64 = 0
  }

  /// `nvmlUtilization_t`, in percent.
  struct Utilisation {
    var gpu: UInt32 = 0
    var memory: UInt32 = 0
  }

  /// `nvmlProcessInfo_t`, 24 bytes.
  struct ProcessInfo {
    var pid: UInt32 = 0
    var usedMemory: UInt64 = 0
    var gpuInstance: UInt32 = 0
    var computeInstance: UInt32 = 0
  }

  /// `NVML_DEVICE_UUID_V2_BUFFER_SIZE` and `NVML_DEVICE_NAME_V2_BUFFER_SIZE`.
  static let textBytes = 96
  /// More processes than this on one GPU are counted as this many, so that an answer stays short.
  static let processLimit = 256
  /// More than the number of pids in Linux.
  static let processRoom = 1 << 22
  /// The driver supports no more in one machine.
  static let deviceLimit: UInt32 = 64

  /// Keeps the functions loaded.
  private let library: DynamicLibrary
  let functions: NVMLFunctions

  /// Loads the library by name from the usual folders, or from a path.
  static func load(_ name: String) throws(LoadError) -> NVMLLibrary {
    let library: DynamicLibrary
    do {
      library = try DynamicLibrary(name)
    } catch {
      throw LoadError(description: error.description)
    }
    let functions = try NVMLFunctions(in: library)
    return NVMLLibrary(library: library, functions: functions)
  }
}

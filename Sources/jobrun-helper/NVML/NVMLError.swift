/// A failed call of NVIDIA's management library.
struct NVMLError: Error {
  var function: String
  /// `nvmlReturn_t` of nvml.h.
  var code: Int32

  static let notSupported: Int32 = 3
  static let insufficientSize: Int32 = 7

  /// The error in words, with the code's own name for a search.
  var description: String {
    switch code {
    case 1: named("the library was not initialised", "UNINITIALIZED")
    case 2: named("the driver refused an argument", "INVALID_ARGUMENT")
    case 3: named("the device does not support it", "NOT_SUPPORTED")
    case 4: named("not permitted", "NO_PERMISSION")
    case 6: named("not found", "NOT_FOUND")
    case 7: named("the answer is too long", "INSUFFICIENT_SIZE")
    case 8: named("a power cable is not connected", "INSUFFICIENT_POWER")
    case 9: named("the NVIDIA driver is not loaded", "DRIVER_NOT_LOADED")
    case 10: named("the driver timed out", "TIMEOUT")
    case 11: named("the device has an interrupt problem", "IRQ_ISSUE")
    case 12: named("a library of the driver is missing", "LIBRARY_NOT_FOUND")
    case 13: named("the driver is too old for this call", "FUNCTION_NOT_FOUND")
    case 14: named("the device's information memory is corrupted", "CORRUPTED_INFOROM")
    case 15: named("the GPU has fallen off the bus", "GPU_IS_LOST")
    case 16: named("the GPU must be reset", "RESET_REQUIRED")
    case 17: named("the operating system blocks the driver", "OPERATING_SYSTEM")
    case 18:
      named(
        "the NVIDIA driver in the kernel and its library differ in version (restart after an update)",
        "LIB_RM_VERSION_MISMATCH")
    case 19: named("the GPU is in use", "IN_USE")
    case 20: named("out of memory", "MEMORY")
    default: named("an error that this version does not know", "UNKNOWN")
    }
  }

  private func named(_ sentence: String, _ name: String) -> String {
    "\(sentence) (\(function): NVML error \(code), \(name))"
  }
}

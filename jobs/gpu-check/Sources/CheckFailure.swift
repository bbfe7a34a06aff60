import Foundation

/// Why a check of a GPU's memory failed, or its finding.
enum CheckFailure: Error, Equatable {
  /// `libcuda.so.1` could not be loaded; the loader's own words.
  case noLibrary(String)
  /// The library lacks a function that every driver since CUDA 4 has.
  case noFunction(String)
  /// The driver sees no GPU (or `CUDA_VISIBLE_DEVICES` hides them all).
  case noDevice
  /// The free memory is smaller than one word of every pattern.
  case noMemory(freeBytes: Int)
  /// A call failed: its name, the driver's code, and the driver's name of that code.
  case call(String, code: Int32, name: String)
  /// The memory returned other data than was written.
  case faulty(Fault)
}

/// Words of the GPU's memory that changed after they were written.
struct Fault: Equatable {
  var pattern: String
  /// The offset of the first wrong word in the checked memory, in bytes.
  var byteOffset: Int
  var written: UInt32
  var read: UInt32
  /// Wrong words in the chunk that was being verified.
  var wrongWords: Int
}

extension CheckFailure: CustomStringConvertible, LocalizedError {
  /// The reason in the job record.
  var errorDescription: String? { description }

  /// One sentence about the failure for a person.
  var description: String {
    switch self {
    case .noLibrary(let why): "the CUDA driver library cannot be loaded: \(why)"
    case .noFunction(let name): "the CUDA driver library has no function \(name)"
    case .noDevice: "the CUDA driver sees no GPU"
    case .noMemory(let freeBytes): "the GPU has too little free memory to check: \(freeBytes) bytes"
    case .call(let function, let code, let name): "\(function) failed: \(name) (\(code))"
    case .faulty(let fault):
      "GPU memory is faulty: at byte \(fault.byteOffset) \(Self.hexadecimal(fault.written)) was "
        + "written and \(Self.hexadecimal(fault.read)) was read (pattern \(fault.pattern), "
        + "\(fault.wrongWords) wrong words in this chunk)"
    }
  }

  private static func hexadecimal(_ word: UInt32) -> String {
    let digits = String(word, radix: 16)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}

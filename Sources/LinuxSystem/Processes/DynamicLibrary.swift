internal import CLinux

/// A library loaded at run time (dlopen(3)); unloaded when the value goes away.
///
/// For dynamically linked executables only: a static one would load a second C library beside its
/// own.
@safe
package struct DynamicLibrary: ~Copyable {
  /// Why a library or one of its symbols could not be loaded, in the loader's words.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  private let handle: UnsafeMutableRawPointer

  package init(_ name: String) throws(Problem) {
    var problem: UnsafePointer<CChar>?
    guard let opened = unsafe clinux_library_open(name, &problem) else {
      guard let text = unsafe problem else { throw Problem(description: "\(name): not loaded") }
      throw Problem(description: unsafe String(cString: text))
    }
    unsafe handle = opened
  }

  deinit {
    unsafe clinux_library_close(handle)
  }

  /// The address of a function; cast it with `unsafeBitCast` to its C type while this value lives.
  @unsafe
  package borrowing func symbol(_ name: String) throws(Problem) -> UnsafeMutableRawPointer {
    guard let address = unsafe clinux_library_symbol(handle, name) else {
      throw Problem(description: "\(name) is missing")
    }
    return unsafe address
  }
}

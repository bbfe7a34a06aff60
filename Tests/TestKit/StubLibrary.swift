import Foundation
import Glibc

/// A shared library that a test builds from our own C source.
///
/// The stubs under `Tests/Fixtures` stand in for NVIDIA's libraries: they prove our calls, not the
/// behaviour of NVIDIA's driver.
package enum StubLibrary {
  /// There is no C compiler on PATH, or it rejected the source.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// Builds a source of `Tests/Fixtures`, such as `StubNVML/stub_nvml.c`, as a library at `path`.
  ///
  /// `definitions` are for the preprocessor, `NAME=VALUE`.
  ///
  /// - Throws: `Failure` with the compiler's message.
  package static func build(
    _ source: String, at path: String, definitions: [String] = []
  ) throws {
    let file = "\(BuiltProducts.packageRoot)/Tests/Fixtures/\(source)"
    try build(file: file, at: path, definitions: definitions)
  }

  /// As above, from C source text.
  package static func build(text: String, at path: String) throws {
    let file = path + ".c"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    try build(file: file, at: path, definitions: [])
  }

  /// Builds a source of `Tests/Fixtures` as a program at `path`, linked with these libraries by their file
  /// names.
  package static func buildProgram(
    _ source: String, at path: String, libraries: [String]
  ) throws {
    let file = "\(BuiltProducts.packageRoot)/Tests/Fixtures/\(source)"
    try compile(file, ["-O1", "-o", path, file] + libraries.map { "-l:\($0)" })
  }

  private static func build(file: String, at path: String, definitions: [String]) throws {
    let soname = path.split(separator: "/").last ?? ""
    try compile(
      file,
      ["-shared", "-fPIC", "-O1", "-Wl,-soname,\(soname)", "-o", path, file]
        + definitions.map { "-D\($0)" })
  }

  private static func compile(_ file: String, _ arguments: [String]) throws {
    let child = try ChildProcess(
      compiler(), arguments, environment: ProcessInfo.processInfo.environment)
    let finished = try child.wait()
    guard finished.status == 0 else {
      throw Failure(description: "\(file) was not built: \(finished.errors)")
    }
  }

  /// The Swift toolchain includes clang; any other C compiler will do.
  private static func compiler() throws(Failure) -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      .split(separator: ":")
    for name in ["cc", "clang", "gcc"] {
      for folder in folders where unsafe access("\(folder)/\(name)", X_OK) == 0 {
        return "\(folder)/\(name)"
      }
    }
    throw Failure(description: "there is no C compiler (cc, clang, gcc) on PATH")
  }
}

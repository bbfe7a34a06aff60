import Foundation
import MachineProbes
import TestKit

/// Gives `body` files as the kernel would show them, below a folder that lives as long as it runs.
func withFakeTree<Value>(
  _ files: [String: String] = [:], links: [String: String] = [:],
  _ body: (SystemTree) throws -> Value
) throws -> Value {
  try withSandbox { sandbox in
    for (path, text) in files { try sandbox.write(text, to: "root\(path)") }
    for (path, target) in links {
      let file = URL(fileURLWithPath: sandbox.path("root\(path)"))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: file.path, withDestinationPath: target)
    }
    return try body(SystemTree(root: sandbox.path("root")))
  }
}

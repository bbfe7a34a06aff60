import Foundation
import Glibc

// Measures every budget beside its reference in the same run: `make bench`. Prints a table, and
// writes it with every sample and the plots to a folder.

let arguments = Array(CommandLine.arguments.dropFirst())
let known = Figures.groups.map(\.name)
if let wrong = arguments.dropFirst().first(where: { !known.contains($0) })
  ?? (arguments.isEmpty ? "" : nil)
{
  tell("\"\(wrong)\" is no group; usage: jobrun-bench FOLDER [\(known.joined(separator: " | "))]…")
  exit(64)
}
do {
  try Figures.measure(Array(arguments.dropFirst()), folder: arguments[0])
} catch {
  tell("jobrun-bench: \(error)")
  exit(1)
}

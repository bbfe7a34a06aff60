import Foundation

// An ordinary program that hosts tasks and does with them what it reads on its standard input, line
// by line; what happens is told on standard output.
let probe = Probe(prefix: ProcessInfo.processInfo.environment["PROBE_PREFIX"] ?? "")
Probe.tell("ready \(ProcessInfo.processInfo.processIdentifier)")
while let line = readLine() {
  probe.obey(line.split(separator: " ").map(String.init))
}

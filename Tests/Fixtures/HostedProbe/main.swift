import Foundation

// An ordinary program that hosts tasks, controlled by the lines of its standard input; it prints events on
// standard output.
let probe = Probe(prefix: ProcessInfo.processInfo.environment["PROBE_PREFIX"] ?? "")
Probe.tell("ready \(ProcessInfo.processInfo.processIdentifier)")
while let line = readLine() {
  probe.obey(line.split(separator: " ").map(String.init))
}

// Code that must load a foreign library runs here, as a child of the runner with a deadline: a driver that
// hangs or crashes affects no other process.
//
//   jobrun-helper gpu     one line of JSON (JobWire.GPUAnswer), exit 0 whatever was found
//   jobrun-helper listen  runs while definitions subscribe to addresses: starts their jobs, and prints a
//                         line of JSON (JobWire.PushTally.Subscriptions) after each change; SIGHUP:
//                         reads the definitions again
//   jobrun-helper notify  one line of JSON (JobWire.NoticeAnswer) in answer to the
//                         JobWire.NoticeOrder in the file on standard input, exit 0
//
// It also shows jobs in pictures (JobPictures), when jobrun has executed it for that: a separate program
// would be as large again.
//
// JOBRUN_NVML names the management library to load instead of libnvidia-ml.so.1, JOBRUN_LIBSYSTEMD
// the one with sd-bus instead of libsystemd.so.0: for unusual installations and for tests.
// LD_LIBRARY_PATH works too.

internal import JobPictures
internal import JobWire
internal import LinuxSystem

/// The library in the variable, otherwise the default one.
func library(_ variable: String, else usual: String) -> String {
  let named = CurrentProcess.environmentValue(variable) ?? ""
  return named.isEmpty ? usual : named
}

let words = Array(CommandLine.arguments.dropFirst())
if let code = Pictures.run(words) { CurrentProcess.exit(code) }
var line: [UInt8] = []
switch words {
case ["gpu"]:
  line = NVMLSurvey.answer(library: library("JOBRUN_NVML", else: "libnvidia-ml.so.1")).line
case ["notify"]:
  line = NoticeDelivery.answer(library: library("JOBRUN_LIBSYSTEMD", else: "libsystemd.so.0")).line
case ["listen"]:
  do throws(WireError) {
    try EventListener.run()
  } catch {
    var tally = PushTally.Subscriptions()
    tally.trouble = error.message
    line = tally.line
  }
default:
  // A closed standard error is ignored.
  let usage = "usage: jobrun-helper gpu|listen|notify|report|serve\n"
  try? FileDescriptor(owning: 2).writeAll(Array(usage.utf8))
  CurrentProcess.exit(64)
}
// A closed standard output is ignored.
try? FileDescriptor(owning: 1).writeAll(line)

// Whatever must load a foreign library runs here, as a child of the runner with a deadline: a
// driver that hangs or crashes takes nobody with it.
//
//   jobrun-helper gpu     one line of JSON (JobWire.GPUAnswer), exit 0 whatever was found
//   jobrun-helper listen  for as long as definitions subscribe to addresses: wakes them, and a line of
//                         JSON (JobWire.PushTally.Subscriptions) whenever that has changed; SIGHUP: they
//                         may be others
//   jobrun-helper notify  one line of JSON (JobWire.NoticeAnswer) in answer to the
//                         JobWire.NoticeOrder that is the file on standard input, exit 0
//
// It shows jobs in pictures, too (JobPictures), where jobrun has become it: a program of its own for that
// would be as large again.
//
// JOBRUN_NVML names the management library to load instead of libnvidia-ml.so.1, JOBRUN_LIBSYSTEMD
// the one with sd-bus instead of libsystemd.so.0: for odd installations and for tests.
// LD_LIBRARY_PATH works too.

internal import JobPictures
internal import JobWire
internal import LinuxSystem

/// The library that the variable names, or else this one.
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
  // Nobody to tell when standard error is closed.
  let usage = "usage: jobrun-helper gpu|listen|notify|report|serve\n"
  try? FileDescriptor(owning: 2).writeAll(Array(usage.utf8))
  CurrentProcess.exit(64)
}
// Nobody reads the answer when standard output is closed.
try? FileDescriptor(owning: 1).writeAll(line)

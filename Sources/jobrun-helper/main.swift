// Whatever must load a foreign library runs here, as a child of the runner with a deadline: a
// driver that hangs or crashes takes nobody with it.
//
//   jobrun-helper gpu     one line of JSON (JobWire.GPUAnswer), exit 0 whatever was found
//
// JOBRUN_NVML names the management library to load instead of libnvidia-ml.so.1: for odd
// installations and for tests. LD_LIBRARY_PATH works too.

internal import JobWire
internal import LinuxSystem

guard CommandLine.arguments.dropFirst() == ["gpu"] else {
  // Nobody to tell when standard error is closed.
  try? FileDescriptor(owning: 2).writeAll(Array("usage: jobrun-helper gpu\n".utf8))
  CurrentProcess.exit(64)
}
let named = CurrentProcess.environmentValue("JOBRUN_NVML") ?? ""
let answer = NVMLSurvey.answer(library: named.isEmpty ? "libnvidia-ml.so.1" : named)
// Nobody reads the answer when standard output is closed.
try? FileDescriptor(owning: 1).writeAll(answer.line)

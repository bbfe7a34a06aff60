import CFuzzer
import Glibc

// One libFuzzer program for all readers of foreign bytes: `jobrun-fuzz TARGET [libFuzzer's options]`. It needs
// `-sanitize=fuzzer` from `make fuzz`; other builds do not have this target.

/// The reader that libFuzzer drives; set before it starts.
nonisolated(unsafe) var target = FuzzTarget.request

let arguments = CommandLine.arguments
guard arguments.count > 1, let chosen = FuzzTarget(rawValue: arguments[1]) else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n")
  _ = unsafe write(1, names + "\n", names.utf8.count + 1)
  exit(arguments.count > 1 ? 64 : 0)
}
unsafe target = chosen
exit(
  unsafe fuzz(CommandLine.argc - 1, CommandLine.unsafeArgv + 1) { bytes, count in
    unsafe target.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  })

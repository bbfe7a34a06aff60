internal import JobEngine
internal import LinuxSystem

// jobrun-engine KIND: serves an engine that runs attempts elsewhere, in lines of JSON: orders on standard
// input, reports on standard output. The runner starts it, here or over ssh; it ends with its standard
// input, and everything that it has started goes on.
//
// jobrun-engine KIND terminal PLACE NUMBER.ATTEMPT: connects its standard streams with a job's terminal.

func serve() -> Int32 {
  CurrentProcess.occupyStandardStreams()
  Signal.ignore(Signal.pipe)
  // Ctrl-C in a terminal is not meant for it.
  Signal.ignore(Signal.interrupt)
  let arguments = CurrentProcess.arguments().map { String(decoding: $0, as: UTF8.self) }
  if arguments.count == 5, arguments[2] == "terminal" { return showTerminal(arguments) }
  guard arguments.count == 2, EngineService.kinds.contains(arguments[1]) else {
    Complaint.write("usage: jobrun-engine \(EngineService.kinds.joined(separator: "|"))")
    return 64
  }
  // One page per job is open.
  try? CurrentProcess.raiseDescriptorLimit()
  do throws(SystemError) {
    let folder = File.parent(of: try CurrentProcess.executablePath())
    try EngineService.serve(arguments[1], programs: folder)
    return 0
  } catch {
    Complaint.write("\(error)")
    return 71
  }
}

/// Becomes the program that carries a person's terminal to that of a job.
func showTerminal(_ arguments: [String]) -> Int32 {
  guard let path = try? CurrentProcess.executablePath() else { return 71 }
  Complaint.write(
    TerminalPlace.become(
      arguments[1], place: arguments[3], attempt: arguments[4], programs: File.parent(of: path)))
  return 71
}

CurrentProcess.exit(serve())

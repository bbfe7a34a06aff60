// Jobs in pictures, executed by jobrun, which has read the command line and knows the jobs by number:
//
//   jobrun-web serve PORT [read-only] [json]       the page, until SIGINT or SIGTERM
//   jobrun-web report since MS [GROUP] [json]      a file on standard output: what ended since then, or lives
//   jobrun-web report NUMBER… [json]               the same, of these jobs

internal import JobWire
internal import LinuxSystem

CurrentProcess.occupyStandardStreams()
Signal.ignore(Signal.pipe)
Signal.ignore(Signal.fileTooLarge)
var words = CommandLine.arguments.dropFirst()
let isJSON = words.contains("json")
words.removeAll { $0 == "json" }
do throws(WireError) {
  switch words.popFirst() {
  case "serve": try WebServer.serve(Array(words), isJSON: isJSON)
  case "report": try Report.print(Array(words), isJSON: isJSON)
  default: throw WireError(.usage, "jobrun-web is called by jobrun web and jobrun report")
  }
} catch {
  // Nobody to tell when these are closed.
  if isJSON { try? StandardOutput.write(error.json + [UInt8(ascii: "\n")]) }
  StandardError.write("jobrun: \(SafeText.shown(error.message))\n")
  CurrentProcess.exit(error.code.exitCode)
}

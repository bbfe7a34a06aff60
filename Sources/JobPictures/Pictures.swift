internal import JobWire
internal import LinuxSystem

/// Jobs in pictures, for `jobrun web` and `jobrun report`, which have read the command line.
///
///     serve PORT [read-only] [json]       the page, until SIGINT or SIGTERM
///     report since MS [group:NAME] [json] a file on standard output: what ended since then, or lives
///     report NUMBER… [json]               the same, of these jobs
package enum Pictures {
  /// The exit code; nil when these words ask for no picture.
  package static func run(_ words: [String]) -> Int32? {
    guard let verb = words.first, ["serve", "report"].contains(verb) else { return nil }
    CurrentProcess.occupyStandardStreams()
    Signal.ignore(Signal.pipe)
    Signal.ignore(Signal.fileTooLarge)
    let isJSON = words.contains("json")
    let rest = words.dropFirst().filter { $0 != "json" }
    do throws(WireError) {
      if verb == "serve" {
        try WebServer.serve(rest, isJSON: isJSON)
      } else {
        try Report.print(rest, isJSON: isJSON)
      }
      return ExitCode.success
    } catch {
      // If these are closed, the error cannot be reported.
      if isJSON { try? StandardOutput.write(error.json + [UInt8(ascii: "\n")]) }
      StandardError.write("jobrun: \(SafeText.shown(error.message))\n")
      return error.code.exitCode
    }
  }
}

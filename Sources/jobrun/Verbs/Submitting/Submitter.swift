import JobClient
import JobCore
import JobWire

/// Makes the request of a submission from a definition's settings and the flags on top.
enum Submitter {
  /// Names `jobrun run`'s jobs.
  static let commandPrefix = "io.jobrun.run"

  /// A submission of a definition.
  static func request(
    for found: DefinitionSet.Resolution, _ invocation: Invocation
  ) throws(WireError) -> SubmitRequest {
    var request = found.definition.submitRequest(key: FreshName.key(), identifier: found.identifier)
    try request.apply(invocation)
    try found.definition.checkCapabilities(for: request.options.requirements)
    return request
  }

  /// A submission of a plain command.
  ///
  /// It has no silence limit by default, and is judged by its exit code. `terminal` is the size of the person's
  /// own terminal, for `--pty`.
  static func request(
    forCommand invocation: Invocation, terminal: Observation.TerminalSize? = nil
  ) throws(WireError) -> SubmitRequest {
    // In a new process `joined` takes as long as reading the whole command line.
    let shown = invocation.isSet(.hideCommand) ? 1 : invocation.arguments.count
    let words = invocation.arguments.prefix(shown).reduce(into: "") { words, argument in
      words += words.isEmpty ? "" : " "
      words += SafeText.shown(AddressLogin.hidden(in: argument.text))
    }
    var request = SubmitRequest(
      key: FreshName.key(), identifier: "\(commandPrefix).\(FreshName.suffix())",
      title: words.start(bytes: Limits.titleBytes), speaksPage: false)
    try request.apply(invocation)
    if let program = invocation.arguments.first, program.isText {
      request.details.showProgram(program.text)
    }
    request.options.observation.recognition = recognition(invocation.text(.progress))
    // Recognised progress may pause for long: there is no stall question unless a person wants one.
    request.options.observation.canStall =
      [Flag.stallAfter, .onStall, .onSlow].contains { invocation.values[$0] != nil }
    if invocation.isSet(.interactive) {
      request.details.input = .terminal
      // What a person does in a shell is no progress of the shell.
      if invocation.text(.progress) == nil { request.options.observation.recognition = .none }
    }
    if invocation.isSet(.pty) || invocation.isSet(.interactive) {
      request.options.observation.terminal = terminal ?? .usual
    }
    return request
  }

  private static func recognition(_ word: String?) -> Observation.Recognition {
    switch word {
    case nil, "auto", "make": .auto
    case "none": .none
    case .some(let pattern): .pattern(pattern)
    }
  }
}

extension JobDetails {
  /// A program that was found under a name is shown by that.
  fileprivate mutating func showProgram(_ name: String) {
    if !hidesCommand, !name.hasPrefix("/") { typed = name }
  }
}

import JobClient
import JobWire
import LinuxSystem

extension Program {
  /// The maximum of a failed build's output that is shown if it was not shown before.
  private static let shownBytes = 64 * 1024

  /// Builds a definition's executable when it is missing or older than its sources.
  ///
  /// On a terminal the build's output is shown as it goes; elsewhere only if it fails.
  ///
  /// - Throws: `cannotCreate`, or `notPermitted` if another user could have written the executable or the
  ///   build; nothing was submitted then.
  func makeReady(_ definition: Definition, _ invocation: Invocation) throws(WireError) {
    guard let build = DefinitionBuild(definition), build.isNeeded else { return }
    do throws(TrustedPath.Problem) {
      try build.checkTrust()
    } catch {
      throw WireError(
        .notPermitted, "\(definition.name) is not built: \(BundleError.untrusted(error).message)")
    }
    let words = SafeText.shown(build.command.joined(separator: " "))
    let isQuiet = invocation.isSet(.quiet)
    if !isQuiet { talk.write(line: "building \(definition.name): \(words)") }
    let began = AwakeClock.now()
    let status: ChildEnd.Status
    do throws(SystemError) {
      status = talk.isTerminal && !isQuiet ? try build.run(output: 2) : try quietly(build)
    } catch {
      throw Self.failure(of: definition, "\(words) cannot be run: \(error.reason)")
    }
    switch status {
    case .exited(0):
      let seconds = Double(AwakeClock.now() - began) / 1e9
      if !isQuiet { talk.write(line: "built in \(QuantityText.length(seconds))") }
    case .exited(let code): throw Self.failure(of: definition, "\(words) ended with code \(code)")
    case .signalled(let number):
      throw Self.failure(of: definition, "\(words) was killed by \(Signal.name(number))")
    }
  }

  private func quietly(_ build: DefinitionBuild) throws(SystemError) -> ChildEnd.Status {
    let memory = try MemoryFile.make([])
    let status = try build.run(output: memory.number)
    guard status != .exited(0) else { return status }
    let size = try memory.size()
    let start = size > UInt64(Self.shownBytes) ? size - UInt64(Self.shownBytes) : 0
    let told = String(decoding: try memory.read(at: start, maximum: Self.shownBytes), as: UTF8.self)
    for line in told.split(whereSeparator: { $0.isNewline }) { talk.buffer(line: String(line)) }
    talk.flush()
    return status
  }

  private static func failure(of definition: Definition, _ reason: String) -> WireError {
    WireError(
      .cannotCreate, "\(definition.name) could not be built: \(reason); nothing was submitted")
  }
}

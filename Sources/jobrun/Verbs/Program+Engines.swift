import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

/// What can be done about engines.
enum EnginesAction: String, CaseIterable {
  case list, check, queue, add
}

extension Program {
  /// Carries out `jobrun engines [list | check ENGINE | queue ENGINE | add NAME]`.
  func engines(_ invocation: Invocation) throws(WireError) -> Int32 {
    let words = invocation.operands.map { $0.text }
    guard let action = EnginesAction(rawValue: words.first ?? "list") else {
      throw WireError(
        .usage,
        "\(words[0].quoted) is not something to do with engines"
          + NearestName.hint(for: words[0], among: EnginesAction.allCases.map { $0.rawValue }))
    }
    let link = try link()
    let engines = try surroundings.configuration(link.paths).engines
    let ofAdding = [Flag.engineKind, .engineThrough, .enginePreset, .engineFolder]
    if action != .add, let flag = ofAdding.first(where: invocation.isSet) {
      throw WireError(.usage, "\(flag.spelling) is for jobrun engines add")
    }
    switch action {
    case .list:
      guard words.count < 2 else {
        throw WireError(.usage, "engines list takes no argument, but got \(words[1].quoted)")
      }
      return try list(engines, invocation, on: link)
    case .check: return try check(try engine(words, engines), invocation, on: link)
    case .queue: return try showQueue(of: try engine(words, engines))
    case .add: return try addEngine(words, engines, invocation, on: link)
    }
  }

  private func engine(
    _ words: [String], _ engines: [String: EngineSettings]
  ) throws(WireError) -> EngineSettings {
    guard words.count == 2 else {
      throw WireError(.usage, "engines \(words[0]) needs the name of an engine")
    }
    guard let engine = engines[words[1]] else {
      throw WireError(.usage, EngineName.unknown(words[1], among: Array(engines.keys)))
    }
    return engine
  }

  /// Prints what the engine's queue says, by the commands of its system.
  private func showQueue(of engine: EngineSettings) throws(WireError) -> Int32 {
    guard let script = engine.queueScript else {
      throw WireError(
        .usage,
        "\(engine.name) is a host, which has no queue of its own; jobrun list shows its jobs")
    }
    let words =
      engine.through.map { SSHCommand.words + [$0, script] } ?? ["/bin/sh", "-c", script]
    do throws(SystemError) {
      let pid = try Spawn(words, environment: CurrentProcess.environment()).start()
      if try ChildProcess.wait(pid).status == .exited(0) { return ExitCode.success }
    } catch {
      throw WireError(.unavailable, "\(engine.name): \(words[0]) cannot be run: \(error)")
    }
    throw WireError(.unavailable, "\(engine.name): its queue cannot be read")
  }

  private func list(
    _ engines: [String: EngineSettings], _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let jobs = link.connectIfRunning() ? try jobs(all: false, on: link) : []
    for engine in engines.values.sorted(by: { $0.name < $1.name }) {
      let ours = jobs.filter {
        $0.terms.engine == engine.name || $0.terms.pool == engine.name
      }
      let running = ours.count { $0.state != .queued }
      if invocation.isSet(.json) {
        writeJSON {
          $0.field("engine", engine.name)
          $0.field("kind", engine.kind.rawValue)
          $0.field("through", engine.through)
          $0.field("folder", engine.folder)
          $0.field("atMost", engine.kind == .pool ? nil : engine.atMost)
          $0.field("of", engine.members)
          $0.field("running", running)
          $0.field("waiting", ours.count - running)
        }
      } else {
        let place = engine.through.map { " through \($0)" } ?? ""
        let what =
          engine.kind == .pool
          ? "pool of \(engine.members.joined(separator: ", "))"
          : "\(engine.kind.rawValue)\(place), at most \(engine.atMost) at a time"
        data.buffer(
          line: "\(engine.name): \(what), \(running) running, \(ours.count - running) waiting")
      }
    }
    if engines.isEmpty, !invocation.isSet(.json) {
      talk.write(line: "no engine is configured. Try: jobrun engines add NAME")
    }
    data.flush()
    return ExitCode.success
  }
}

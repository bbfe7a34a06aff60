import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun resources [--on ENGINE] [--json]`.
  func resources(_ invocation: Invocation) throws(WireError) -> Int32 {
    if let engine = invocation.text(.ofEngine), engine != EngineName.here {
      return try resources(of: engine, invocation)
    }
    guard case .resources(let report) = try link().ask(.resources()) else {
      throw WireError(.internal, "the runner did not answer with its resources")
    }
    if invocation.isSet(.json) {
      data.write(json: report.json + [UInt8(ascii: "\n")])
    } else {
      FactList.write(ResourceFacts.all(report), to: data)
    }
    return ExitCode.success
  }

  private func resources(of engine: String, _ invocation: Invocation) throws(WireError) -> Int32 {
    guard case .machines(let machines) = try link().ask(.resources(on: engine)) else {
      throw WireError(.internal, "the runner did not answer with the machines of \(engine)")
    }
    if invocation.isSet(.json) {
      for machine in machines { data.write(json: machine.json + [UInt8(ascii: "\n")]) }
    } else {
      let colour = surroundings.wantsColour && data.isTerminal
      for line in MachineTable.lines(machines, width: data.columns) {
        data.buffer(line: line, colour: colour)
      }
      data.flush()
    }
    return ExitCode.success
  }
}

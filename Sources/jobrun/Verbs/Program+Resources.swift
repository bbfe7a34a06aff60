import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun resources [--json]`.
  func resources(_ invocation: Invocation) throws(WireError) -> Int32 {
    guard case .resources(let report) = try link().ask(.resources) else {
      throw WireError(.internal, "the runner did not answer with its resources")
    }
    if invocation.isSet(.json) {
      data.write(json: report.json + [UInt8(ascii: "\n")])
    } else {
      FactList.write(ResourceFacts.all(report), to: data)
    }
    return ExitCode.success
  }
}

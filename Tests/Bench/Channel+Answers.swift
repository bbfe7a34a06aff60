import JobCore
import JobWire

extension Channel {
  /// The current status of a job.
  func show(_ number: JobNumber) throws -> JobStatus {
    guard case .job(let job, _) = try answer(to: .show(.number(number))) else {
      throw Fault("job \(number) is not shown")
    }
    return job
  }

  func status() throws -> RunnerStatus {
    guard case .status(let status) = try answer(to: .status) else {
      throw Fault("the runner does not say how it is")
    }
    return status
  }

  /// Sends a request without others under way.
  private func answer(to request: Request) throws -> Response {
    try send(request)
    while true {
      for case .reply(let reply) in try lines() {
        switch reply {
        case .ok(_, let response): return response
        case .error(_, let error): throw error
        case .job: continue
        }
      }
    }
  }
}

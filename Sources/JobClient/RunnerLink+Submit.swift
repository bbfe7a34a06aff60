package import JobPage
package import JobWire
import LinuxSystem

extension RunnerLink {
  /// Hands a job over; `kept` when a live one with its identifier was meant to be kept.
  ///
  /// The request carries its key: asked again after a lost answer, it never makes two jobs. `input` is
  /// what the job is to read where that is passed on.
  package func submit(
    _ request: SubmitRequest, _ specification: LaunchSpecification, input: Int32? = nil
  ) throws(WireError) -> (job: JobStatus, kept: Bool) {
    var specification = specification
    specification.creationMask = specification.creationMask ?? CurrentProcess.creationMask()
    let bytes = specification.encoded()
    guard bytes.count <= Limits.launchSpecificationBytes else {
      throw WireError(
        .usage,
        "arguments and environment have \(bytes.count) bytes;"
          + " \(Limits.launchSpecificationBytes) is the limit")
    }
    let memory = try WireError.from(.internal) { () throws(SystemError) in
      PassedDescriptor(try MemoryFile.make(bytes))
    }
    return try Self.submitted(try ask(.submit(request), passing: memory.number, and: input))
  }

  /// Submits a job that this process hosts itself; its request says so.
  package func submit(
    hosted request: SubmitRequest
  ) throws(WireError) -> (job: JobStatus, kept: Bool) {
    try Self.submitted(try ask(.submit(request)))
  }

  private static func submitted(_ response: Response) throws(WireError) -> (
    job: JobStatus, kept: Bool
  ) {
    guard case .submitted(let job, let kept, _) = response else {
      throw WireError(.internal, "the runner did not answer with a job")
    }
    return (job, kept)
  }
}

/// Keeps a descriptor open while it is passed, perhaps more than once.
private final class PassedDescriptor {
  private let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  var number: Int32 { descriptor.number }
}

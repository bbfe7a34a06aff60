package import JobCore
package import JobPage
package import JobWire
import LinuxSystem

extension RunnerLink {
  /// Submits a job; `kept` when a live one with its identifier is to be kept and exists.
  ///
  /// The request carries its key: repeated after a lost answer, it never makes two jobs. `input` is the
  /// job's input where that is passed on.
  package func submit(
    _ request: SubmitRequest, _ specification: LaunchSpecification, input: Int32? = nil
  ) throws(WireError) -> (job: JobStatus, kept: Bool) {
    let memory = try Self.passed(specification)
    do throws(WireError) {
      return try Self.submitted(try ask(.submit(request), passing: memory.number, and: input))
    } catch {
      guard let job = accepted(request.key) else { throw error }
      return (job, false)
    }
  }

  /// The job that was accepted under this key although no runner survived to say so.
  private func accepted(_ key: String) -> JobStatus? {
    // An error of this query does not matter: the failure of the submission is reported.
    guard isUncertain, case .job(let job, _)? = try? ask(.show(.key(key))) else { return nil }
    return job
  }

  /// Submits a push at most once: when its answer is lost, it may have arrived and is not repeated.
  package func push(
    _ request: SubmitRequest, _ specification: LaunchSpecification
  ) throws(WireError) -> (job: JobStatus, kept: Bool) {
    let memory = try Self.passed(specification)
    return try Self.submitted(try askOnce(.submit(request), passing: memory.number))
  }

  /// Submits many jobs at once; returns the number of the first, which those of the others follow.
  ///
  /// `inputs` are those of the first job, of the second and so on (`PackedInputs`).
  package func submit(
    _ many: ManyRequest, _ specification: LaunchSpecification, inputs: [UInt8]
  ) throws(WireError) -> JobNumber {
    guard inputs.count <= Limits.inputBytes else {
      throw WireError(
        .unavailable,
        "the inputs of all jobs have \(inputs.count) bytes; \(Limits.inputBytes) is the limit,"
          + " and none of the jobs is accepted")
    }
    let memory = try Self.passed(specification)
    let lists = try Self.memory(inputs)
    do throws(WireError) {
      let response = try ask(.submitMany(many), passing: memory.number, and: lists.number)
      guard case .submittedMany(let first, _, _) = response else {
        throw WireError(.internal, "the runner did not answer with jobs")
      }
      return first
    } catch {
      let key = many.job.key + String(repeating: "0", count: Batch.keyDigits)
      guard let first = accepted(key) else { throw error }
      return first.number
    }
  }

  private static func passed(
    _ specification: LaunchSpecification
  ) throws(WireError) -> PassedDescriptor {
    var specification = specification
    specification.creationMask = specification.creationMask ?? CurrentProcess.creationMask()
    specification.terms = specification.terms ?? ProcessTerms.current()
    let bytes = specification.encoded()
    guard bytes.count <= Limits.launchSpecificationBytes else {
      throw WireError(
        .usage,
        "arguments and environment have \(bytes.count) bytes;"
          + " \(Limits.launchSpecificationBytes) is the limit")
    }
    return try memory(bytes)
  }

  private static func memory(_ bytes: [UInt8]) throws(WireError) -> PassedDescriptor {
    try WireError.from(.internal) { () throws(SystemError) in
      PassedDescriptor(try MemoryFile.make(bytes))
    }
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

/// Keeps a descriptor open for as long as it may be sent again.
private final class PassedDescriptor {
  private let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  var number: Int32 { descriptor.number }
}

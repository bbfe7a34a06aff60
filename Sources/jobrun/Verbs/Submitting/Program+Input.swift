import JobClient
import JobCore
import JobWire
import LinuxSystem

/// The input that goes with a submission.
struct SubmittedInput {
  var input = JobInput.none
  /// Passed on with the request; nil = none.
  var descriptor: Int32?
  /// A copy that is only needed if the job is accepted.
  var copy: String?
  /// Keeps `descriptor` open, unless it is this process's own standard input.
  var file: OpenedInput?
  /// Keeps `copy` open, so that the runner does not take it for one without a submitter.
  var openedCopy: OpenedInput?
}

/// Keeps a descriptor open as long as it is needed.
final class OpenedInput {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}

extension Program {
  /// Determines the job's input, and copies it if necessary.
  ///
  /// - Throws: `usage` for input that no job can read, `cannotCreate` when there is no space for the copy.
  func submittedInput(
    _ invocation: Invocation, for request: SubmitRequest, paths: Paths
  ) throws(WireError) -> SubmittedInput {
    if request.details.input == .terminal { return SubmittedInput(input: .terminal) }
    let named = invocation.text(.stdin)
    // A definition's input is its own decision, unless a person sets it.
    guard named ?? (invocation.verb == .run ? "-" : "none") != "none" else {
      return SubmittedInput()
    }
    var submitted = SubmittedInput()
    if let named, named != "-" { submitted.file = OpenedInput(try Self.opened(named)) }
    let number = submitted.file?.descriptor.number ?? 0
    let leaves =
      invocation.isSet(.detach) || request.options.retries > 0 || request.options.resumable
    let source = StandardInput.source(number)
    let isOne = invocation.verb == .run || invocation.verb == .submit
    var travels = false
    if isOne, source.hasBytes { travels = try self.travels(request, paths) }
    switch StandardInput.treatment(of: source, named: named, leaves: leaves, travels: travels) {
    case .refused(let why):
      throw WireError(
        .usage, "\(Flag.stdin.spelling) \(named?.quoted ?? "") \(why)")
    case .input(let input):
      submitted.input = input
      if input == .passed { submitted.descriptor = number }
    case .copy(let offset):
      let path = paths.input(key: request.key)
      let made = try InputCopy(number, from: offset, to: path, talk: talk).make()
      submitted.input = .copied(bytes: made.bytes)
      (submitted.copy, submitted.openedCopy) = (path, made.copy)
    }
    return submitted
  }

  /// Whether the job runs elsewhere, so that its input must be sent along.
  private func travels(_ request: SubmitRequest, _ paths: Paths) throws(WireError) -> Bool {
    if let engine = request.options.engine { return engine != EngineName.here }
    return (try surroundings.configuration(paths).on ?? EngineName.here) != EngineName.here
  }

  private static func opened(_ path: String) throws(WireError) -> FileDescriptor {
    do throws(SystemError) {
      return try File.open(path, [.read, .noTerminal])
    } catch {
      throw WireError(
        error.number == SystemError.notFound ? .notFound : .usage,
        "\(Flag.stdin.spelling) \(path.quoted) cannot be read: \(error.reason)")
    }
  }
}

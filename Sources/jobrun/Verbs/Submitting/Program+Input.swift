import JobClient
import JobCore
import JobWire
import LinuxSystem

/// What goes with a submission because of what the job is to read.
struct SubmittedInput {
  var input = JobInput.none
  /// Passed on with the request; nil = nothing is.
  var descriptor: Int32?
  /// A copy that nobody needs unless the job is accepted.
  var copy: String?
  /// Keeps `descriptor` open, where it is not this process's own standard input.
  var file: OpenedInput?
}

/// Keeps a descriptor open as long as anybody needs it.
final class OpenedInput {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}

extension Program {
  /// Finds out what the job is to read, and makes a copy of it where one is needed.
  ///
  /// - Throws: `usage` for what no job can read, `cannotCreate` when there is no room for the copy.
  func submittedInput(
    _ invocation: Invocation, for request: SubmitRequest, paths: Paths
  ) throws(WireError) -> SubmittedInput {
    let named = invocation.text(.stdin)
    // What a definition reads is its own affair, unless a person says so.
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
      submitted.input = .copied(
        bytes: try InputCopy(number, from: offset, to: path, talk: talk).make())
      submitted.copy = path
    }
    return submitted
  }

  /// A job that runs elsewhere takes along what it is to read.
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

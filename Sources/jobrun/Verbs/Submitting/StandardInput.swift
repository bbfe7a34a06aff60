import JobClient
import JobWire
import LinuxSystem

/// The job's standard input: the kind of descriptor, and its treatment.
///
/// A pipe is passed on as it is, which is free and works with endless input. A detached job, or one that may be
/// retried, gets a copy instead. A file is passed by name, and each attempt opens it. A terminal is never read.
struct StandardInput {
  /// The kind of descriptor.
  enum Source: Hashable {
    case nothing
    case terminal
    case folder
    /// A file that its path leads to.
    case file(String)
    /// A file without a name, or one that was already read in part.
    case opened(from: UInt64)
    /// A pipe, or a socket.
    case stream

    var hasBytes: Bool {
      switch self {
      case .nothing, .terminal, .folder: false
      case .file, .opened, .stream: true
      }
    }
  }

  /// The treatment of the input.
  enum Treatment: Hashable {
    case input(JobInput)
    /// All data from this offset on, or all that arrives.
    case copy(from: UInt64?)
    /// The input cannot be used; the sentence gives the reason.
    case refused(String)
  }

  /// `named`: a person chose it with `--stdin`; `leaves`: the command detaches, or there may be a second
  /// attempt; `travels`: the job runs on another machine.
  static func treatment(
    of source: Source, named: String?, leaves: Bool, travels: Bool = false
  ) -> Treatment {
    switch source {
    case .nothing: return .input(.none)
    case .terminal where named == nil, .folder where named == nil: return .input(.none)
    case .terminal:
      return .refused("is a terminal, which a job never reads; name a file, or write none")
    case .folder: return .refused("is a folder; name a file, or write none")
    case .file(let path) where !travels && (named != nil || !leaves): return .input(.file(path))
    case .file: return .copy(from: 0)
    case .opened(let offset): return .copy(from: offset)
    case .stream: return leaves || travels ? .copy(from: nil) : .input(.passed)
    }
  }

  /// The kind of a descriptor.
  static func source(_ number: Int32) -> Source {
    if Terminal.isTerminal(number) { return .terminal }
    let descriptor = BorrowedDescriptor(number)
    guard let status = try? descriptor.status() else { return .nothing }
    let path = try? File.linkTarget("/proc/self/fd/\(number)")
    switch status.kind {
    case .directory: return .folder
    case .characterDevice, .blockDevice:
      guard let path, path != "/dev/null" else { return .nothing }
      return .file(path)
    case .file:
      let offset = descriptor.position() ?? 0
      guard offset == 0, let path, let found = (try? File.status(path)) ?? nil,
        found.device == status.device, found.node == status.node,
        (try? File.open(path)) != nil
      else { return .opened(from: offset) }
      return .file(path)
    case .symbolicLink, .socket, .other: return .stream
    }
  }
}

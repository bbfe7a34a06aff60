import JobClient
import JobWire
import LinuxSystem

/// What a job is to read: what was found there, and what becomes of it.
///
/// A pipe is passed on as it is, which costs nothing and works with what never ends. Whoever leaves at
/// once, or may want a second attempt, gets a copy instead. A file is named, and opened by each attempt.
/// A terminal is never read.
struct StandardInput {
  /// What may be open there.
  enum Source: Hashable {
    case nothing
    case terminal
    case folder
    /// A file that its path leads to.
    case file(String)
    /// A file that has no name any more, or that somebody has begun to read.
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

  /// What becomes of it.
  enum Treatment: Hashable {
    case input(JobInput)
    /// Everything from this offset on, or whatever comes.
    case copy(from: UInt64?)
    /// There is no job of it, and one sentence says why.
    case refused(String)
  }

  /// `named`: a person chose it with `--stdin`; `leaves`: nobody waits, or there may be a second
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

  /// What is open under a number.
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

import JobCore
import JobStore
import JobWire
import LinuxSystem

/// Processes that host jobs: their identity, whether they are connected, and when they are gone.
final class HostRegistry: Part {
  /// Queries about jobs, and callbacks.
  struct Handlers {
    /// Writes a line to a client.
    var send: (HostLine, _ client: UInt64) -> Void
    /// Whether this process waits for a submission's answer.
    var isSubmitting: (JobHost) -> Bool
    /// Whether this job has not ended.
    var isLive: (JobNumber) -> Bool
    /// A process is gone, and with it this job; why in a phrase.
    var ended: (JobNumber, String) -> Void
    /// A live process has not reconnected: this job has waited too long; the phrase gives the reason.
    var gaveUp: (JobNumber, String) -> Void
  }

  private let loop: Reactor
  private let handlers: Handlers
  /// By their marks.
  private var hosts: [String: HostProcess] = [:]
  /// Hosted jobs that have ended and whose processes still hold something.
  private var lingering: [JobNumber: LingeringHost] = [:]

  init(loop: Reactor, handlers: Handlers) {
    self.loop = loop
    self.handlers = handlers
  }

  /// The process with this mark, while it is known.
  subscript(mark: String) -> HostProcess? { hosts[mark] }

  /// The state of an ended hosted job whose process still holds resources.
  func lingering(_ number: JobNumber) -> LingeringHost? { lingering[number] }

  /// Keeps that the process still holds something for a job that has ended.
  func keep(_ host: LingeringHost, for number: JobNumber) { lingering[number] = host }

  /// Releases and returns the state of a lingering job.
  func release(_ number: JobNumber) -> LingeringHost? {
    guard let left = lingering.removeValue(forKey: number) else { return nil }
    if let host = hosts[left.mark] { leave(number, host) }
    return left
  }

  /// A job is no longer the process' concern.
  func leave(_ number: JobNumber, _ host: HostProcess) {
    host.jobs.remove(number)
    dismissIfIdle(host)
  }

  /// The process at the other end, under its mark.
  ///
  /// - Throws: `notPermitted` when it cannot be known for certain, or the mark is another's.
  func process(_ mark: String, of client: Client) throws(WireError) -> HostProcess {
    guard let pid = try? client.connection.peer().pid, let identity = ProcessIdentity(pid: pid)
    else {
      throw WireError(
        .notPermitted,
        "the process that hosts the job is in another process namespace and cannot be watched;"
          + " use jobrun submit, or share the namespace")
    }
    if let known = hosts[mark] {
      guard known.host.identity == identity else {
        throw WireError(.notPermitted, "the mark belongs to process \(known.host.pid)")
      }
      return known
    }
    do throws(SystemError) {
      return try watch(JobHost(mark: mark, identity))
    } catch {
      throw WireError(.notPermitted, "process \(pid) cannot be watched: \(error.reason)")
    }
  }

  /// Watches a host for its end; throws if it is already gone.
  func watch(_ host: JobHost) throws(SystemError) -> HostProcess {
    if let known = hosts[host.mark], known.host == host { return known }
    let process = try ProcessDescriptor(host.identity)
    let watched = HostProcess(host: host, process: process)
    try loop.watch(watched.process.number) { [unowned self, unowned watched] _ in end(watched) }
    watched.absence = HostAbsence(since: AwakeClock.instant(in: .zero))
    hosts[host.mark] = watched
    return watched
  }

  /// The process listens on this connection from now on.
  func connect(_ host: HostProcess, by client: Client) {
    host.client = client.number
    host.absence = nil
  }

  /// The processes no longer listen on this connection; they may reconnect.
  func disconnect(_ client: Client) {
    for host in hosts.values where host.client == client.number {
      host.client = nil
      host.absence = HostAbsence(since: AwakeClock.instant(in: .zero))
      dismissIfIdle(host)
    }
  }

  /// Sends a line to a process, if it is connected.
  func tell(_ line: HostLine, to host: HostProcess) {
    if let client = host.client { handlers.send(line, client) }
  }

  /// Forgets a process that neither hosts nor listens.
  func dismissIfIdle(_ host: HostProcess) {
    guard host.jobs.isEmpty, host.client == nil, !handlers.isSubmitting(host.host) else { return }
    forget(host)
  }

  private func forget(_ host: HostProcess) {
    loop.remove(host.process.number)
    hosts[host.host.mark] = nil
  }

  /// A process is gone, and with it all that it hosted.
  private func end(_ host: HostProcess) {
    for number in host.jobs.sorted() {
      handlers.ended(number, "process \(host.host.pid), which was to run it, has ended")
    }
    forget(host)
  }

  /// When a missing host is looked at, or its waiting jobs are given up; nil = none is missing.
  var nextDue: Instant? { hosts.values.compactMap(\.nextLook).min() }

  func act(at now: Instant) {
    let span = HostAbsence.timeout.words
    for host in hosts.values where host.nextLook.map({ $0 <= now }) ?? false {
      let isStopped = ProcessStatus(pid: host.host.pid)?.isStopped ?? false
      guard host.absence?.look(isStopped: isStopped, at: now) ?? false else { continue }
      host.absence = nil
      for number in host.jobs.sorted() where handlers.isLive(number) {
        handlers.gaveUp(
          number,
          "process \(host.host.pid), which was to run it, has not been heard from for \(span)")
      }
    }
  }
}

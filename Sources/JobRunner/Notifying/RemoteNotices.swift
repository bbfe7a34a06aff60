import JobCore
import JobWire
import LinuxSystem
import MachineProbes

/// Sends notices to the targets of config.json: each by one run of curl or sendmail, one after another.
final class RemoteNotices: Part {
  /// How long one may take; curl gives up sooner.
  private static let timeout = Interval.seconds(30)
  /// The limit of waiting notices; later ones are dropped, with a note.
  private static let waitingLimit = 32
  /// Folders of sendmail that are often not on PATH.
  private static let places = ["/usr/sbin", "/usr/lib"]

  private let loop: Reactor
  private let environment: [[UInt8]]
  private let targets: () -> [NoticeTarget]
  private let trouble: (String) -> Void
  private var waiting: [NoticeCommand] = []
  private var child: HelperChild?
  private var program = ""
  private var deadline: Instant?

  /// `targets` returns those of the current settings; `trouble` gets a sentence about each failure.
  init(
    loop: Reactor, environment: [[UInt8]], targets: @escaping () -> [NoticeTarget],
    trouble: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.environment = environment
    self.targets = targets
    self.trouble = trouble
  }

  var isIdle: Bool { child == nil && waiting.isEmpty }
  var nextDue: Instant? { deadline }

  /// Whether there is any target.
  var hasTargets: Bool { !targets().isEmpty }

  func add(_ order: NoticeOrder) {
    for target in targets() {
      guard waiting.count < Self.waitingLimit else {
        return trouble("a notice was dropped: \(waiting.count) others wait to be sent")
      }
      waiting.append(NoticeCommand(order, to: target))
    }
    sendNext()
  }

  func act(at now: Instant) {
    guard let deadline, deadline <= now else { return }
    self.deadline = nil
    child?.kill()
  }

  private func sendNext() {
    guard child == nil, !waiting.isEmpty else { return }
    let command = waiting.removeFirst()
    program = command.arguments[0]
    do throws(SystemError) {
      let child = try HelperChild(
        [path(of: program)] + command.arguments.dropFirst(), environment: environment,
        input: command.input)
      do throws(SystemError) {
        try loop.watch(child.number) { [unowned self] _ in childEnded() }
      } catch {
        child.discard()
        throw error
      }
      self.child = child
      deadline = AwakeClock.instant(in: Self.timeout)
    } catch {
      trouble("a notice was not sent: \(program) cannot be started: \(error.reason)")
      sendNext()
    }
  }

  private func path(of program: String) -> String {
    let path = environment.first { $0.starts(with: "PATH=".utf8) }.map {
      String(decoding: $0.dropFirst(5), as: UTF8.self)
    }
    let folders = (path ?? "/usr/bin:/bin").split(separator: ":").map(String.init) + Self.places
    return folders.lazy.map { "\($0)/\(program)" }.first { File.isExecutable($0) } ?? program
  }

  private func childEnded() {
    guard let child else { return }
    loop.remove(child.number)
    _ = child.reap()
    let isLate = deadline == nil
    (self.child, deadline) = (nil, nil)
    if child.status != .exited(0) {
      let why = isLate ? "did not end within \(DurationText.format(Self.timeout))" : "failed"
      trouble("a notice was not sent: \(program) \(why)\(Self.code(child.status))")
    }
    sendNext()
  }

  private static func code(_ status: ChildEnd.Status?) -> String {
    if case .exited(let code)? = status { return " with exit code \(code)" }
    return ""
  }
}

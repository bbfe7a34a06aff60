import JobCore
import JobWire
import LinuxSystem
import MachineProbes

/// The child that receives definitions' pushes from their addresses; it runs only if an address is registered.
final class PushListener: Part {
  private let loop: Reactor
  private let helper: String
  private let registered: String
  private let environment: [[UInt8]]
  private var child: HelperChild?
  private var told: [UInt8] = []
  private var failures: UInt64 = 0
  /// The child has said how it stands, and thus understands signals.
  private var hasSpoken = false
  /// Whether it was signalled about a change.
  private var wasSignalled = false
  private(set) var nextDue: Instant?
  /// The last report of the child.
  private(set) var tally = PushTally.Subscriptions()

  private static let maximumToldBytes = 1 << 16

  /// `registered`: the file with the folders of bundles.
  init(loop: Reactor, tools: Tools, registered: String, environment: [[UInt8]]) {
    self.loop = loop
    helper = tools.helper
    self.registered = registered
    let name = Array("JOBRUN_COMMAND=".utf8)
    self.environment =
      JobVariables.without(environment) + [name + Array(tools.command.utf8)]
  }

  deinit { child?.discard() }

  /// Whether no child runs or will be started.
  var isIdle: Bool { child == nil && nextDue == nil }

  /// Registrations may have changed; streams that are still registered continue.
  func lookAgain() {
    if child == nil, !File.exists(registered) { return }
    if hasSpoken, let child, (try? child.process.signal(Signal.hangup)) == true {
      wasSignalled = true
      return
    }
    end()
    failures = 0
    begin()
  }

  func act(at now: Instant) { begin() }

  private func begin() {
    nextDue = nil
    do throws(SystemError) {
      let child = try HelperChild(helper, verb: "listen", environment: environment)
      do throws(SystemError) {
        try loop.watch(child.outputNumber) { [unowned self] _ in hear() }
      } catch {
        child.discard()
        throw error
      }
      self.child = child
    } catch {
      tally.trouble = "jobrun-helper cannot be started: \(error)"
      retry()
    }
  }

  private func end() {
    guard let child else { return }
    loop.remove(child.outputNumber)
    child.discard()
    self.child = nil
    (told, hasSpoken, wasSignalled) = ([], false, false)
    tally = PushTally.Subscriptions()
  }

  private func hear() {
    guard let child else { return }
    let bytes = child.readOutput()
    told = Array((told + bytes).suffix(Self.maximumToldBytes))
    let lines = told.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    told = Array(lines.last ?? [])
    for line in lines.dropLast() {
      guard let news = try? PushTally.Subscriptions(line: line) else { continue }
      tally = news
      failures = 0
      hasSpoken = true
    }
    guard bytes.isEmpty, child.hasExited else { return }
    let (left, wasSignalled) = (tally, wasSignalled)
    // By itself it ends only without anything to listen to, or to listen with: no time mends that.
    let hasEndedItself = child.reap() && child.status == .exited(ExitCode.success)
    end()
    tally.trouble = left.trouble
    // It may have been signalled after it found no registrations.
    if !hasEndedItself { retry() } else if wasSignalled { begin() }
  }

  private func retry() {
    failures += 1
    nextDue = AwakeClock.instant(in: .seconds(min(60, 1 << min(failures, 6))))
  }
}

package import JobCore
package import JobWire
package import LinuxSystem

/// `config.json` as the runner goes by it: whatever the file says is so at once, but for where the state
/// lies.
package final class Settings: Part {
  /// What the file said when it was last read and not broken.
  private(set) var current: RunnerConfiguration
  /// What is wrong with the file as it is; nil = nothing.
  package private(set) var problem: String?
  /// Jobs that run at the same time: by default as many as there are processors, at least 2, since a
  /// machine with one core still overlaps waiting and computing.
  package private(set) var slots: Int
  private let path: String
  /// Whether the file was there when it was last read.
  private var hasFile: Bool
  /// When a file that is gone is taken for removed: programs that save one may take the old one away first.
  private(set) var nextDue: Instant?
  /// Nil where the system watches no more files: then the file is looked at now and again.
  private let watch: FileWatch?
  /// How long a file may be gone that is only being replaced.
  private static let absence = Interval.seconds(1)
  private var slotsChanged: (Int) -> Void = { _ in }
  private var groupsChanged: ([GroupName: Int]) -> Void = { _ in }
  private var bundlesChanged: ([JobIdentifier: BundleSettings]) -> Void = { _ in }
  private var budgetChanged: (Budget) -> Void = { _ in }
  private var enginesChanged: (RunnerConfiguration) -> Void = { _ in }
  private var resourcesChanged: ([String: Int]) -> Void = { _ in }
  private var tell: (String) -> Void = { _ in }

  /// `current`: what the file at `path` says now.
  package init(_ current: RunnerConfiguration, path: String) {
    self.current = current
    slots = Self.slots(current)
    self.path = path
    hasFile = File.exists(path)
    watch = try? FileWatch(path)
  }

  private static func slots(_ configuration: RunnerConfiguration) -> Int {
    configuration.slots(processors: CurrentProcess.processorCount())
  }

  /// Follows the file from now on: `slotsChanged` is told how many there are then, `groupsChanged` the same of
  /// groups, `bundlesChanged` what bundles may do then, `budgetChanged` what each gets of the moments that the
  /// runner picks, `enginesChanged` what may have changed of engines, `resourcesChanged` what is counted, `tell` what a person should know.
  package func follow(
    loop: Reactor, slotsChanged: @escaping (Int) -> Void,
    groupsChanged: @escaping ([GroupName: Int]) -> Void,
    bundlesChanged: @escaping ([JobIdentifier: BundleSettings]) -> Void,
    budgetChanged: @escaping (Budget) -> Void,
    enginesChanged: @escaping (RunnerConfiguration) -> Void,
    resourcesChanged: @escaping ([String: Int]) -> Void,
    tell: @escaping (String) -> Void
  ) throws(SystemError) {
    self.slotsChanged = slotsChanged
    self.groupsChanged = groupsChanged
    self.bundlesChanged = bundlesChanged
    self.budgetChanged = budgetChanged
    self.enginesChanged = enginesChanged
    self.resourcesChanged = resourcesChanged
    self.tell = tell
    // A change before the watch began is not reported by the watch.
    read()
    guard let watch else {
      nextDue = nextDue ?? .now() + .seconds(Limits.unwatchedPauseSeconds)
      return
    }
    try loop.watch(watch.number) { [unowned self] _ in
      self.watch?.drain()
      read()
    }
  }

  /// Reads the file again; a broken one is told, and all stays as it was.
  package func read() {
    let isThere = File.exists(path)
    if hasFile, !isThere {
      nextDue = nextDue ?? Instant.now() + Self.absence
      return
    }
    nextDue = nil
    hasFile = isThere
    do {
      let fresh = try Self.parse(path)
      problem = nil
      guard fresh != current else { return }
      if fresh.stateDirectory != current.stateDirectory {
        tell("stateDir has changed; the runner goes there after jobrun runner restart")
      }
      let (before, slotsBefore) = (current, slots)
      current = fresh
      slots = Self.slots(fresh)
      RunnerLog.write("the settings have changed and were read again")
      if slots != slotsBefore { slotsChanged(slots) }
      if current.groups != before.groups { groupsChanged(current.groups) }
      if current.budget != before.budget { budgetChanged(current.budget) }
      if current.bundleSettings != before.bundleSettings { bundlesChanged(current.bundleSettings) }
      if current.resources != before.resources { resourcesChanged(current.resources) }
      if current.engines != before.engines { enginesChanged(current) }
    } catch {
      let reason = error.message
      let sentence = "\(reason); the previous settings stay in force"
      if sentence != problem { RunnerLog.write(sentence) }
      problem = sentence
    }
  }

  func act(at now: Instant) {
    nextDue = nil
    hasFile = File.exists(path)
    read()
    if watch == nil { nextDue = now + .seconds(Limits.unwatchedPauseSeconds) }
  }

  /// What the file at `path` says; the defaults when there is none.
  ///
  /// - Throws: `notPermitted` when another user may write to it.
  package static func parse(_ path: String) throws(RunnerError) -> RunnerConfiguration {
    do {
      let bytes = try TrustedPath.read(path, limit: Limits.manifestBytes)
      return try bytes.map { try RunnerConfiguration.parse($0, file: path) }
        ?? RunnerConfiguration()
    } catch let problem as TrustedPath.Problem {
      throw RunnerError(.notPermitted, "the settings are not used: \(problem.sentence)")
    } catch let error as ManifestError {
      throw RunnerError(.cannotCreate, error.message)
    } catch {
      throw RunnerError(.cannotCreate, "\(error)")
    }
  }
}

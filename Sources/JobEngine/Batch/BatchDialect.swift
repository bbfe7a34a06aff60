internal import JobPage
internal import JobWire
internal import LinuxSystem

/// A batch system that is described by its commands and by patterns for their answers.
package struct BatchDialect: QueueDialect {
  private var greeting = EngineGreeting()
  private var system = BatchSystem()
  private var program = ""
  private var reader = BatchReader(BatchSystem())

  package init() {}

  mutating func greet(_ greeting: EngineGreeting, program: String) {
    self.greeting = greeting
    self.program = program
    system = greeting.batch ?? BatchSystem()
    reader = BatchReader(system)
  }

  var name: String { greeting.engine }
  static var pace: UInt32 { 2_000 }
  static var rings: Bool { false }
  static var showsNames: Bool { false }
  static var isExplicit: Bool { false }
  static var arrayMost: Int { 1 }

  /// All that a login has: which variables the commands need is not known.
  static var environment: [[UInt8]] {
    CurrentProcess.environment().filter { !$0.starts(with: "LC_ALL=".utf8) }
      + [Array("LC_ALL=C".utf8)]
  }

  var limitsCall: [String]? { nil }
  func limits(in answer: QueueAnswer) -> QueueLimits { QueueLimits() }

  func demand(_ launch: EngineLaunch) -> [String] { [] }

  /// The answer goes to a file, which a later helper finds.
  func submission(_ launch: EngineLaunch, _ task: QueueTask) throws(SystemError) -> QueueCall {
    let folder = task.folder
    let script = "\(folder.path)/script"
    try File.writeAtomically(QueueScript.one(program, folder, mark: mark(folder)), to: script)
    try File.setPermissions(0o700, script)
    let request = BatchRequest(system: system, greeting: greeting, launch: launch)
    let attempt = launch.attempt
    let command = system.template(.submit).filled { place in
      switch place {
      case "script": QueueScript.quoted(script)
      case "options": request.options
      // Some systems refuse more than 15 characters.
      case "name": QueueScript.quoted("jobrun.\(attempt.job).\(attempt.attempt)")
      case "log": QueueScript.quoted(folder.nodeLog)
      case "folder": QueueScript.quoted(folder.path)
      default: BatchSystem.Key(rawValue: place).map { request.part($0, isPlaced: true) }
      }
    }
    let answer = QueueScript.quoted(Self.answer(folder))
    return QueueCall(arguments: Self.shell("exec >\(answer) </dev/null\n\(command)"))
  }

  private static func answer(_ folder: JobFolder) -> String { "\(folder.path)/submitted" }

  private static func shell(_ script: String) -> [String] { ["/bin/sh", "-c", script] }

  func id(in answer: QueueAnswer, _ folder: JobFolder) -> String? { id(of: folder) }

  func id(of folder: JobFolder) -> String? {
    (try? File.readAll(Self.answer(folder), limit: 1 << 16)).flatMap { reader.id(in: $0) }
  }

  func mark(_ folder: JobFolder) -> String? { "\(folder.path)/reached" }

  func element(_ index: Int, of id: String) -> String { id }
  func elements(of id: String, most: Int) -> [(index: Int, id: String)] { [] }

  func list(withEnded: Bool) -> [String] { Self.shell(filled(.list, ids: [])) }

  func rows(in output: [UInt8]) -> [QueueRow]? { reader.rows(in: output) }

  func question(of id: String) -> [String]? {
    system[.show].isEmpty ? nil : Self.shell("{ \(filled(.show, ids: [id])); } 2>&1")
  }

  func whereabouts(_ answer: QueueAnswer, name: String?) -> QueueWhereabouts {
    reader.whereabouts(answer.code, answer.output)
  }

  func cancel(_ ids: [String], named name: String) -> [String] {
    Self.shell(filled(.cancel, ids: ids))
  }

  func ring(_ ids: [String], named name: String) -> [String] { [] }

  /// Tries a few times: a system may answer that a job that has ended is an error.
  func farewell(names: [String], ids: [String], awaitsSubmission: Bool) -> [String] {
    Self.shell(
      "for n in 1 2 3 4 5 6; do { \(filled(.cancel, ids: ids)); } && exit; sleep 10; done")
  }

  func explanation(in log: [UInt8], job: String?) -> String? { nil }

  private func filled(_ key: BatchSystem.Key, ids: [String]) -> String {
    system.template(key).filled { place in
      switch place {
      case "id": ids.sorted().map { QueueScript.quoted($0) }.joined(separator: " ")
      case "user": BatchSystem.user
      default: nil
      }
    }
  }
}

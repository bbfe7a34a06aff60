import Foundation
import TestKit
import Testing

/// Real code's ways of using the framework, in both language modes, on the embedded scheduler and with
/// a real runner: the programs in `Tests/Corpus` judge themselves by the same assertions everywhere.
@Suite struct CorpusTests {
  static let habits = [
    "wrapper", "singleton", "model", "delegate", "actor", "table", "runner", "method", "task",
    "operations", "queue", "holding", "twice", "expiration", "progress", "before", "within",
    "after", "itself", "all", "cancel", "again", "button", "newer", "subclass", "health",
    "extension", "nested", "semaphore", "race", "onward", "life", "switch", "nserror",
  ]

  /// Habits that are repeated CORPUS_TRIES times, 20 by default.
  static let counted = ["tries-completion", "tries-refresh", "tries-progress"]

  static let programs = ["corpus-swift5", "corpus-swift6"]

  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.write("", to: "diary")
    try sandbox.write(Self.infoPlist, to: "app/Info.plist")
  }

  /// An app's own file, which identifies the program.
  static let infoPlist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>org.example.corpus</string>
    <key>CFBundleName</key><string>Corpus</string>
    <key>BGTaskSchedulerPermittedIdentifiers</key><array><string>org.example.corpus.*</string></array>
    <key>UIBackgroundModes</key><array><string>fetch</string><string>processing</string></array>
    </dict></plist>
    """

  private func run(
    _ program: String, _ habit: String, _ more: [String: String] = [:],
    within limit: Duration = Deadline.timeout
  ) throws -> ChildProcess.Finished {
    let environment = [
      "CORPUS_DIARY": sandbox.path("diary"), "JOBRUN_BUNDLE": sandbox.path("app/Info.plist"),
      // The runner knows nothing of this machine: background tasks would wait while its disks are busy.
      "JOBRUN_SYSTEM_ROOT": sandbox.path("machine"),
    ]
    return try sandbox.run(
      program, [habit], environment: environment.merging(more) { $1 }, within: limit)
  }

  @Test(arguments: programs, habits)
  func `works embedded`(program: String, habit: String) throws {
    let finished = try run(program, habit, ["JOBRUN_SCHEDULER": "embedded"])
    #expect(finished.status == 0, "\(finished.errors)")
  }

  @Test(arguments: programs, habits)
  func `works on a real runner`(program: String, habit: String) throws {
    let finished = try run(program, habit)
    #expect(finished.status == 0, "\(finished.errors)")
  }

  @Test(arguments: [
    ("table", "table.sync already has a handler; the second registration is ignored"),
    ("twice", "twice.refresh was already completed; the second call is ignored"),
  ])
  func `what is done a second time is ignored and logged`(habit: String, sentence: String) throws {
    let finished = try run("corpus-swift6", habit, ["JOBRUN_SCHEDULER": "embedded"])
    #expect(finished.status == 0)
    #expect(finished.errors.contains(sentence), "\(finished.errors)")
  }

  @Test func `a method of the main actor's may be a handler in Swift 5 mode`() throws {
    let finished = try run("corpus-warned", "", ["JOBRUN_SCHEDULER": "embedded"])
    #expect(finished.status == 0, "\(finished.errors)")
  }

  @Test func `a runner that runs is found without jobrun on PATH, and without both that is said`()
    throws
  {
    let program = try sandbox.copyExecutable("corpus-swift6", to: "app/corpus")
    let alone = try run(program, "button", ["PATH": "/usr/bin:/bin"])
    #expect(alone.status == 1)
    #expect(alone.errors.contains("no jobrun was found on PATH"), "\(alone.errors)")
    try sandbox.run("jobrun", ["list"])
    let served = try run(program, "button", ["PATH": "/usr/bin:/bin"])
    #expect(served.status == 0, "\(served.errors)")
  }

  @Test(arguments: counted)
  func `is never refused or lost on a real runner`(habit: String) throws {
    let tries = ProcessInfo.processInfo.environment["CORPUS_TRIES"] ?? "20"
    // Refreshes of one identifier in a row are spread over hours otherwise.
    try sandbox.run("jobrun", ["settings", "set", "org.example.corpus", "budget=no"])
    // A refresh costs a process: a tenth of a second on a machine that has nothing else to do.
    let limit = max(Deadline.timeout, Duration.seconds(Double(tries) ?? 0))
    let finished = try run("corpus-swift6", habit, ["CORPUS_TRIES": tries], within: limit)
    #expect(finished.status == 0, "\(finished.errors)\(finished.output)")
    #expect(finished.output.contains(": 0 of \(tries)\n"))
  }

  @Test func `every habit is tried`() throws {
    let told = try run("corpus-swift6", "none").output.split(separator: "\n").map(String.init)
    #expect(told == Self.habits + Self.counted)
  }
}

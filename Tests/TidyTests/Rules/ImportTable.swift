/// The modules that each folder may import: the layers of the project, lowest first.
///
/// The compiler lets a target import all modules beneath it; this table does not.
enum ImportTable {
  /// Modules by folder; a folder of `Sources`, `Tests` or `jobs` that is missing here is a finding.
  static let allowed: [String: Set<String>] = [
    "Sources/JobCore": [],
    "Sources/JobWire": ["JobCore", "FoundationEssentials"],
    "Sources/JobRecognition": ["JobCore", "JobWire"],
    "Sources/JobRuntime": ["JobCore", "JobWire"],
    "Sources/LinuxSystem": ["CLinux", "Glibc"],
    "Sources/JobPage": ["LinuxSystem", "Synchronization"],
    "Sources/JobSupervision": ["JobPage", "LinuxSystem"],
    "Sources/MachineProbes": ["JobCore", "JobWire", "LinuxSystem"],
    "Sources/JobEngine": ["JobCore", "JobWire", "JobPage", "LinuxSystem", "MachineProbes"],
    "Sources/JobStore": ["JobCore", "JobWire", "CSQLite"],
    "Sources/JobRunner": [
      "JobRecognition", "JobRuntime", "JobCore", "JobWire", "LinuxSystem", "JobPage", "JobStore",
      "MachineProbes",
    ],
    "Sources/JobClient": ["JobCore", "JobWire", "JobPage", "LinuxSystem", "Synchronization"],
    "Sources/BackgroundTasks": [
      "JobClient", "JobRuntime", "JobCore", "JobWire", "JobPage", "LinuxSystem", "Foundation",
      "Synchronization", "Dispatch",
    ],
    "Sources/BackgroundTasksNetworking": [
      "BackgroundTasks", "JobClient", "JobCore", "JobWire", "JobPage", "LinuxSystem", "Foundation",
      "FoundationNetworking", "Synchronization", "Dispatch",
    ],
    "Sources/UserNotifications": [
      "JobClient", "JobWire", "LinuxSystem", "Foundation", "Synchronization",
    ],
    "Sources/jobrun": ["JobClient", "JobCore", "JobWire", "JobPage", "LinuxSystem"],
    "Sources/jobrund": ["JobRunner"],
    "Sources/jobrun-shim": ["JobSupervision", "JobPage", "LinuxSystem"],
    "Sources/JobPictures": [
      "JobClient", "JobCore", "JobWire", "LazyHTTP", "LinuxSystem", "WebPage",
    ],
    "Sources/jobrun-engine": ["JobEngine", "JobWire", "LinuxSystem"],
    "Sources/jobrun-helper": [
      "JobClient", "JobCore", "JobPictures", "JobWire", "LazyCurl", "LinuxSystem",
    ],

    "jobs/files": ["BackgroundTasks", "JobWire", "Foundation", "Glibc"],
    "jobs/export": [
      "BackgroundTasks", "Foundation", "Glibc", "CArchive", "LazyArchive", "JobFiles",
    ],
    "jobs/mirror": ["BackgroundTasks", "Foundation", "Glibc", "JobFiles"],
    "jobs/vacuum": ["BackgroundTasks", "Foundation", "Glibc", "CSQLite", "JobFiles"],
    "jobs/refresh": ["BackgroundTasks", "Foundation", "Glibc", "JobFiles"],
    "jobs/transfer": [
      "BackgroundTasks", "Foundation", "Glibc", "Synchronization", "JobFiles", "LazyCurl",
    ],
    "jobs/gpu-check": ["BackgroundTasks", "Foundation", "Glibc"],
    "jobs/samples": [
      "ExportJob", "MirrorJob", "VacuumJob", "RefreshJob", "GPUCheckJob", "TransferJob",
      "JobFiles", "Glibc",
    ],

    "Tests/TestKit": ["Foundation", "Glibc", "Synchronization", "CLinux", "LinuxSystem"],
    "Tests/TidyTests": forTests([]),
    "Tests/Fixtures": [
      "BackgroundTasks", "BackgroundTasksNetworking", "LinuxSystem", "Foundation",
      "Synchronization", "UserNotifications",
    ],
    "Tests/Fuzz": [
      "CFuzzer", "JobWire", "JobCore", "JobPage", "JobRecognition", "LinuxSystem", "Glibc",
    ],
    "Tests/Simulation": [
      "JobRuntime", "JobCore", "JobWire", "SimulatedWorld", "TestKit", "Glibc",
    ],
    "Tests/Mixtures": [
      "JobCore", "JobRecognition", "MixedOutput", "TestKit", "Dispatch", "Glibc", "Synchronization",
    ],
    "Tests/Corpus": ["BackgroundTasks", "BackgroundTasksNetworking", "FoundationNetworking"],
    "Tests/JobCoreTests": forTests(["JobCore", "SimulatedWorld"]),
    "Tests/JobWireTests": forTests(["JobWire", "JobCore"]),
    "Tests/JobRuntimeTests": forTests(["JobRuntime", "JobCore", "JobWire"]),
    "Tests/JobRecognitionTests": forTests([
      "JobRecognition", "JobCore", "JobWire", "MixedOutput",
    ]),
    "Tests/LinuxSystemTests": forTests(["LinuxSystem"]),
    "Tests/JobPageTests": forTests(["JobPage", "LinuxSystem"]),
    "Tests/JobSupervisionTests": forTests([
      "JobSupervision", "JobCore", "JobWire", "JobPage", "LinuxSystem",
    ]),
    "Tests/JobEngineTests": forTests(["JobEngine", "JobPage", "JobCore", "JobWire"]),
    "Tests/JobStoreTests": forTests(["JobStore", "JobCore", "JobWire", "CSQLite"]),
    "Tests/JobRunnerTests": forTests([
      "JobRunner", "JobRecognition", "JobRuntime", "JobCore", "JobWire", "LinuxSystem", "JobPage",
      "JobStore", "MachineProbes",
    ]),
    "Tests/BackgroundTasksTests": forTests([
      "BackgroundTasks", "JobCore", "JobWire", "JobPage", "LinuxSystem",
    ]),
    "Tests/BackgroundTasksNetworkingTests": forTests(["BackgroundTasksNetworking", "JobCore"]),
    "Tests/JobClientTests": forTests(["JobClient", "JobCore", "JobWire", "LinuxSystem"]),
    "Tests/Snippets": ["BackgroundTasks", "Foundation"],
    "Tests/CommandLineTests": forTests([
      "jobrun", "JobClient", "JobCore", "JobWire", "JobPage", "LinuxSystem",
    ]),
    "Tests/GPUCheckTests": forTests(["GPUCheckJob"] + worker),
    "Tests/ExportTests": forTests(["ExportJob", "CArchive"] + worker),
    "Tests/VacuumTests": forTests(["CSQLite"] + worker),
    "Tests/RefreshTests": forTests(["JobCore", "JobWire"] + worker),
    "Tests/MirrorTests": forTests(["MirrorJob", "JobFiles"] + worker),
    "Tests/TransferTests": forTests(["TransferJob", "JobFiles"] + worker),
    "Tests/EndToEndTests": forTests(["JobCore", "JobWire", "JobPage", "LinuxSystem", "JobStore"]),
    "Tests/Bench": [
      "BackgroundTasks", "Foundation", "Glibc", "Synchronization", "CSQLite", "TestKit", "JobCore",
      "JobWire",
      "JobPage", "JobStore", "LinuxSystem",
    ],
    "Tests/Torture": ["Foundation", "Glibc", "TestKit", "JobCore", "JobWire", "LinuxSystem"],
  ]

  /// The modules that a test needs to act as the runner of a job.
  private static let worker = ["JobCore", "JobWire", "JobPage", "LinuxSystem"]

  /// The modules whose internals a test may open: an executable has no other interface, and the library hides
  /// its internals from all other targets.
  static let testable: [String: String] = [
    "Tests/BackgroundTasksTests": "BackgroundTasks",
    "Tests/BackgroundTasksNetworkingTests": "BackgroundTasksNetworking",
    "Tests/CommandLineTests": "jobrun", "Tests/GPUCheckTests": "GPUCheckJob",
    "Tests/ExportTests": "ExportJob", "Tests/MirrorTests": "MirrorJob",
    "Tests/TransferTests": "TransferJob",
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, file.path.contains("/") else { return [] }
    guard let modules = allowed[file.area] else {
      return [file.finding(1, "\(file.area) has no line in the import table")]
    }
    return imports(of: file).flatMap { statement in
      findings(in: file, statement: statement, allowed: modules)
    }
  }

  /// The modules in the library's interface; atomics are in inlined code.
  private static let publicModules: [String: Set<String>] = [
    "Sources/BackgroundTasks": ["Foundation", "Dispatch", "Synchronization"],
    "Sources/BackgroundTasksNetworking": ["BackgroundTasks", "Foundation", "FoundationNetworking"],
    "Sources/UserNotifications": ["Foundation"],
  ]

  /// The only files that re-export modules, as Apple's modules do.
  private static let exports: Set = [
    "Sources/BackgroundTasks/Exports.swift", "Sources/BackgroundTasksNetworking/Exports.swift",
  ]

  private struct Statement {
    var module: String
    var line: Int
    /// The words before it on its line: `public`, `@testable`.
    var modifiers: [String]
  }

  private static func forTests(_ modules: [String]) -> Set<String> {
    Set(modules).union(["Testing", "TestKit", "Foundation", "Glibc", "Synchronization", "Dispatch"])
  }

  private static func imports(of file: SourceFile) -> [Statement] {
    file.offsets(of: ["import"]).compactMap { offset in
      let line = file.tokens[offset].line
      let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
      let names = file.tokens[(offset + 1)...].prefix(2).filter { $0.line == line }
      // `import(`, `import:` and `.import` are other names.
      guard let name = names.first(where: { !kinds.contains($0.text) }), name.isWord else {
        return nil
      }
      let before = file.tokens[..<offset].suffix(8).filter { $0.line == line }.map(\.text)
      if before.last == "." { return nil }
      return Statement(
        module: name.text.filter { $0 != "`" }, line: line, modifiers: before)
    }
  }

  private static func findings(
    in file: SourceFile, statement: Statement, allowed: Set<String>
  ) -> [Finding] {
    var found: [Finding] = []
    let module = statement.module
    if !allowed.contains(module) && module != "Swift" {
      let list = allowed.isEmpty ? "nothing" : allowed.sorted().joined(separator: ", ")
      found.append(
        file.finding(
          statement.line, "\(file.area) may not import \(module); it may import \(list)"))
    }
    let mayBePublic = publicModules[file.area]?.contains(module) ?? false
    if statement.modifiers.contains("public") && !mayBePublic {
      found.append(
        file.finding(
          statement.line, "only the libraries show modules: \(publicModules)"))
    }
    if statement.modifiers.contains("testable") && testable[file.area] != module {
      found.append(
        file.finding(statement.line, "@testable is for executables and the library only"))
    }
    if statement.modifiers.contains("_exported"), !exports.contains(file.path) {
      found.append(file.finding(statement.line, "a module is imported where it is used"))
    }
    return found
  }
}

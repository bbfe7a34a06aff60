// swift-tools-version: 6.3
import PackageDescription

/// `make release` sets JOBRUN_STATIC and passes `--static-swift-stdlib`: a static executable
/// starts in a fifth of the time of a dynamic one and needs no Swift runtime where it is installed.
let isStatic = Context.environment["JOBRUN_STATIC"] != nil

/// Without the random number in each object by which the compiler recognises it: an executable has the same
/// bytes from each build then. (So it has no debug information, which is full of such.)
let reproducible: [SwiftSetting] =
  !isStatic ? [] : [.unsafeFlags(["-Xfrontend", "-disable-incremental-llvm-codegen"])]

/// Settings of every Swift target: the strictest that the toolchain offers, all warnings errors.
let strict: [SwiftSetting] =
  reproducible + [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
  ]

/// Settings of what a command of a millisecond consists of: without the regular expressions of the
/// standard library, a megabyte whose tables every start looks through, and with a section for each
/// function, so that the linker leaves out what is never called.
let lean: [SwiftSetting] =
  !isStatic
  ? strict
  : strict + [
    .unsafeFlags([
      "-Xfrontend", "-disable-implicit-string-processing-module-import", "-Xfrontend",
      "-function-sections",
    ])
  ]

/// Those of what starts often and does little: fewer pages are read for it.
///
/// The rules, the store and the runner would be a fifth slower so; they are built for speed.
let small: [SwiftSetting] = !isStatic ? lean : lean + [.unsafeFlags(["-Osize"])]

/// What `jobrun --version` says beside the version.
let commit: [CSetting] =
  Context.environment["JOBRUN_COMMIT"].flatMap { text in
    text.isEmpty ? nil : [.define("JOBRUN_COMMIT", to: "\"\(text)\"")]
  } ?? []

/// Settings of the programs in the articles: those of a package that asks for nothing.
let ordinary: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// What links a whole executable, the C library included.
let wholeStatic: [LinkerSetting] =
  !isStatic
  ? []
  : [
    .unsafeFlags([
      "-static-executable", "-use-ld=lld", "-Xlinker", "--strip-debug",
      "-Xlinker", "--no-rosegment", "-Xlinker", "--gc-sections", "-Xlinker", "--icf=all",
    ])
  ]

/// The sample jobs are one executable that goes by the name it is called by: an installation has it once
/// and under seven names.
let samples: [Product] = [
  "export", "mirror", "vacuum", "refresh", "gpu-check", "download", "upload",
]
.prefix(isStatic ? 1 : 7).map { .executable(name: $0, targets: ["Samples"]) }

/// The name of ICU's data in the toolchain, which `make release` leaves out of the sample jobs.
let dataOfICU = Context.environment["JOBRUN_ICU_DATA"].flatMap { $0.isEmpty ? nil : $0 }

/// An empty library in place of that data, which reports each missing part to its caller.
let noLocales: [Target] =
  dataOfICU.map {
    [
      .target(
        name: "NoLocales", path: "jobs/samples/NoLocales", publicHeadersPath: "include",
        cSettings: [.define("ICU_DATA", to: $0)])
    ]
  } ?? []

/// What links a small executable that loads libraries as it runs: equal code once, nothing that is not
/// called, at a fixed place, and from the archives of `.ci/static-archives` in place of shared libraries.
let smallDynamic: [LinkerSetting] =
  !isStatic
  ? []
  : [
    .unsafeFlags([
      "-use-ld=lld", "-Xlinker", "--strip-debug", "-Xlinker", "--gc-sections", "-Xlinker",
      "--icf=all", "-Xlinker", "--no-export-dynamic", "-L",
      "\(Context.packageDirectory)/.build/static", "-Xclang-linker",
      "-static-libgcc", "-Xclang-linker", "-no-pie",
    ]),
    .unsafeFlags(
      dataOfICU == nil
        ? []
        : [
          "-Xlinker", "--wrap=swift_udata_open", "-Xlinker", "--wrap=swift_udata_openChoice",
        ]),
  ]

/// `make fuzz` sets JOBRUN_FUZZ: libFuzzer's driver is linked only with `-sanitize=fuzzer`.
let fuzzing: [Target] =
  Context.environment["JOBRUN_FUZZ"] == nil
  ? []
  : [
    .target(name: "CFuzzer", path: "Tests/Fuzz/Driver"),
    .executableTarget(
      name: "jobrun-fuzz",
      dependencies: ["CFuzzer", "JobWire", "JobCore", "JobPage", "JobRecognition", "LinuxSystem"],
      path: "Tests/Fuzz/Readers", swiftSettings: strict),
  ]

/// A module: a layer of the program, a job that comes with it, or what tests stand on.
func module(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil,
  exclude: [String] = [], _ settings: [SwiftSetting] = lean, linker: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings,
    linkerSettings: linker)
}

func program(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil,
  exclude: [String] = [], _ settings: [SwiftSetting] = strict, linker: [LinkerSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings,
    linkerSettings: linker)
}

/// A program that uses the library as anybody's would.
func user(
  _ name: String, of library: Target.Dependency = "BackgroundTasks", at path: String,
  exclude: [String] = [], _ settings: [SwiftSetting] = ordinary
) -> Target {
  program(name, [library], path: "Tests/\(path)", exclude: exclude, settings)
}

/// Tests mirror the sources; TestKit holds what they share.
///
/// The programs that they start are not among their dependencies: they are built beside them in any case
/// (`--build-tests`), and a test that needs no code of theirs is compiled without waiting for them.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  linker: [LinkerSetting] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestKit"], exclude: exclude, swiftSettings: strict,
    linkerSettings: linker)
}

let package = Package(
  name: "jobrun",
  products: [
    .library(name: "BackgroundTasks", targets: ["BackgroundTasks"]),
    .library(name: "BackgroundTasksNetworking", targets: ["BackgroundTasksNetworking"]),
    .library(name: "UserNotifications", targets: ["UserNotifications"]),
  ]
    + [
      "jobrun", "jobrund", "jobrun-shim", "jobrun-engine", "jobrun-helper",
    ].map { .executable(name: $0, targets: [$0]) } + samples,
  targets: [
    // C declarations that Swift's Glibc lacks, and system libraries.
    .target(name: "CLinux", cSettings: commit),
    .systemLibrary(name: "CSQLite"),

    // The layers, lowest first. TidyTests holds the imports that each may have.
    // Rounding is in libm, which no other import of the executables links.
    module("JobCore", [], linker: [.linkedLibrary("m")]),
    module("JobWire", ["JobCore"], exclude: ["protocol.md", "submission.md"]),
    module("JobRecognition", ["JobCore", "JobWire"]),
    module("LinuxSystem", ["CLinux"]),
    module(
      "JobPage", ["LinuxSystem"],
      exclude: ["page.md", "run-record.md", "launch-order.md", "mirror.md"]),
    module("JobSupervision", ["JobPage", "LinuxSystem"], small),
    module("JobStore", ["JobCore", "JobWire", "CSQLite"]),
    module("MachineProbes", ["JobCore", "JobWire", "LinuxSystem"]),
    module("JobEngine", ["JobCore", "JobWire", "JobPage", "LinuxSystem", "MachineProbes"]),
    module("JobRuntime", ["JobCore", "JobWire"]),
    module(
      "JobRunner",
      [
        "JobRecognition", "JobRuntime", "JobCore", "JobWire", "LinuxSystem", "JobPage", "JobStore",
        "MachineProbes",
      ]),
    module("JobClient", ["JobCore", "JobWire", "JobPage", "LinuxSystem"], small),
    module(
      "BackgroundTasks",
      ["JobClient", "JobRuntime", "JobCore", "JobWire", "JobPage", "LinuxSystem"], strict),
    // Separate, because FoundationNetworking is many times the size of everything else.
    module(
      "BackgroundTasksNetworking",
      ["BackgroundTasks", "JobClient", "JobCore", "JobWire", "JobPage", "LinuxSystem"],
      exclude: ["calls.md"], strict),

    module("UserNotifications", ["JobClient", "JobWire", "LinuxSystem"], strict),

    // The executables.
    program(
      "jobrun", ["JobClient", "JobCore", "JobWire", "JobPage", "LinuxSystem"],
      exclude: ["Manual"], small, linker: wholeStatic),
    program("jobrund", ["JobRunner"], lean, linker: wholeStatic),
    program(
      "jobrun-shim", ["JobSupervision", "JobPage", "LinuxSystem"], small, linker: wholeStatic),
    program("jobrun-engine", ["JobEngine", "JobWire", "LinuxSystem"], lean, linker: wholeStatic),
    program(
      "jobrun-helper",
      ["JobClient", "JobCore", "JobPictures", "JobWire", "LazyCurl", "LinuxSystem"], small,
      linker: smallDynamic),

    // Jobs in pictures. The files of the page are part of the program (`#embed`).
    .target(
      name: "WebPage",
      exclude: ["page.html", "page.css", "page.js", "icon.svg", "report.css"]),
    .target(name: "LazyHTTP"),
    module(
      "JobPictures", ["JobClient", "JobCore", "JobWire", "LazyHTTP", "LinuxSystem", "WebPage"],
      small),

    // The sample jobs.
    .systemLibrary(name: "CArchive", path: "jobs/export/CArchive"),
    module("JobFiles", ["BackgroundTasks", "JobWire"], path: "jobs/files/Sources", strict),
    .target(name: "LazyArchive", path: "jobs/export/LazyArchive"),
    module(
      "ExportJob", ["BackgroundTasks", "CArchive", "JobFiles", "LazyArchive"],
      path: "jobs/export/Sources", strict),
    module("MirrorJob", ["BackgroundTasks", "JobFiles"], path: "jobs/mirror/Sources", strict),
    module(
      "VacuumJob", ["BackgroundTasks", "CSQLite", "JobFiles"], path: "jobs/vacuum/Sources", strict),
    module("RefreshJob", ["BackgroundTasks", "JobFiles"], path: "jobs/refresh/Sources", strict),
    module("GPUCheckJob", ["BackgroundTasks"], path: "jobs/gpu-check/Sources", strict),
    .target(name: "LazyCurl", path: "jobs/transfer/LazyCurl"),
    module(
      "TransferJob", ["BackgroundTasks", "JobFiles", "LazyCurl"], path: "jobs/transfer/Sources",
      strict),
    program(
      "Samples",
      [
        "ExportJob", "MirrorJob", "VacuumJob", "RefreshJob", "GPUCheckJob", "TransferJob",
        "JobFiles",
      ] + noLocales.map { .target(name: $0.name) },
      path: "jobs/samples/Sources", linker: smallDynamic),

    // Test support, and the tests.
    module("TestKit", ["LinuxSystem"], path: "Tests/TestKit", strict),
    module(
      "SimulatedWorld", ["JobRuntime", "JobCore", "JobWire", "TestKit"],
      path: "Tests/Simulation/World", strict),
    program(
      "jobrun-sim", ["SimulatedWorld", "JobCore", "TestKit"], path: "Tests/Simulation/Command"),
    tests("JobCoreTests", ["JobCore", "SimulatedWorld"]),
    tests("JobWireTests", ["JobWire", "JobCore"]),
    tests("JobRuntimeTests", ["JobRuntime", "JobCore", "JobWire"]),
    module(
      "MixedOutput", ["JobRecognition", "JobCore", "TestKit"], path: "Tests/Mixtures/Output",
      strict),
    program("jobrun-mixtures", ["MixedOutput"], path: "Tests/Mixtures/Command"),
    tests(
      "JobRecognitionTests", ["JobRecognition", "JobCore", "JobWire", "MixedOutput"],
      exclude: ["Fixtures"]),
    tests("LinuxSystemTests", ["LinuxSystem"]),
    // Prints the local time of the time zone in which it is started.
    program("clock-probe", ["LinuxSystem"], path: "Tests/Fixtures/ClockProbe"),
    tests("JobPageTests", ["JobPage", "LinuxSystem"]),
    tests(
      "JobSupervisionTests", ["JobSupervision", "JobCore", "JobWire", "JobPage", "LinuxSystem"]),
    tests("JobEngineTests", ["JobEngine", "JobPage", "JobCore", "JobWire"]),
    tests("JobStoreTests", ["JobStore", "JobCore", "JobWire", "CSQLite"], exclude: ["Fixtures"]),
    tests(
      "JobRunnerTests",
      [
        "JobRunner", "JobRecognition", "JobRuntime", "JobStore", "JobCore", "JobWire", "JobPage",
        "LinuxSystem", "MachineProbes",
      ]),
    tests("GPUCheckTests", ["GPUCheckJob", "JobCore", "JobPage", "JobWire", "LinuxSystem"]),
    // The programs of the articles in BackgroundTasks.docc.
    user("jobrun-snippet-first", at: "Snippets/FirstJob", exclude: ["Package.swift.txt"]),
    user("jobrun-snippet-declared", at: "Snippets/Declared"),
    // The template of `jobrun new --language swift`.
    user("jobrun-snippet-new", at: "Snippets/New"),
    tests("BackgroundTasksTests", ["BackgroundTasks", "JobPage", "LinuxSystem"]),
    tests("BackgroundTasksNetworkingTests", ["BackgroundTasksNetworking", "JobCore"]),
    tests(
      "ExportTests", ["ExportJob", "CArchive", "JobPage", "LinuxSystem"],
      linker: [.linkedLibrary("archive")]),
    tests("VacuumTests", ["CSQLite", "JobPage", "LinuxSystem"]),
    tests("RefreshTests", ["JobPage", "LinuxSystem", "JobCore", "JobWire"]),
    tests("MirrorTests", ["MirrorJob", "JobFiles", "JobPage", "LinuxSystem"]),
    tests("TransferTests", ["TransferJob", "JobFiles", "JobPage", "LinuxSystem"]),
    tests("JobClientTests", ["JobClient", "JobCore", "JobWire", "LinuxSystem"]),
    tests(
      "CommandLineTests", ["jobrun", "JobClient", "JobCore", "JobWire", "JobPage", "LinuxSystem"],
      exclude: ["Runs", "Screens"]),
    tests(
      "EndToEndTests", ["LinuxSystem", "JobCore", "JobWire", "JobPage", "JobStore"],
      exclude: ["Golden"]),
    // A foreign program that hosts tasks.
    user("hosted-probe", at: "Fixtures/HostedProbe", strict),
    // A program with a background session, whose steps are its arguments.
    user("session-probe", of: "BackgroundTasksNetworking", at: "Fixtures/SessionProbe"),
    // Apps in the shapes of SwiftUI and of UIKit.
    program(
      "app-probe", ["BackgroundTasks", "UserNotifications"], path: "Tests/Fixtures/AppProbe",
      ordinary),
    user("delegate-probe", at: "Fixtures/DelegateProbe"),
    // Formats by locale, which workers without ICU data cannot do.
    program(
      "locale-probe", noLocales.map { .target(name: $0.name) }, path: "Tests/Fixtures/LocaleProbe",
      ordinary, linker: smallDynamic),
    // Uses of the framework from real code, with the same sources in both language modes.
    user(
      "corpus-swift5", at: "Corpus/Swift5",
      [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    user("corpus-swift6", at: "Corpus/Programs"),
    user(
      "corpus-warned", at: "Corpus/Warned",
      [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
    // The same of background sessions, with FoundationNetworking imported by name and without.
    user("corpus-networking", of: "BackgroundTasksNetworking", at: "Corpus/Networking"),
    user(
      "corpus-networking-by-name", of: "BackgroundTasksNetworking", at: "Corpus/NetworkingByName",
      ordinary + [.define("BY_NAME"), .treatWarning("DeprecatedDeclaration", as: .warning)]),
    tests("TidyTests", [], exclude: ["sentences.txt"]),
    // Kills a real runner again and again under load: `make torture`.
    program(
      "jobrun-torture", ["TestKit", "LinuxSystem", "JobCore", "JobWire"], path: "Tests/Torture"),
    // Measures every budget beside its reference: `make bench`.
    program(
      "jobrun-bench",
      [
        "BackgroundTasks", "TestKit", "LinuxSystem", "JobCore", "JobWire", "JobPage", "JobStore",
        "CSQLite",
      ],
      path: "Tests/Bench", exclude: ["Python", "Stamp"]),
    .executableTarget(name: "jobrun-bench-stamp", path: "Tests/Bench/Stamp"),
  ] + noLocales + fuzzing
)

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
/// function, so that the linker leaves out what nobody calls.
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

/// What is empty in its place, and says so to whoever looks for a part.
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

/// Tests mirror the sources; TestKit holds what they share.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
  name: "jobrun",
  products: [
    .library(name: "BackgroundTasks", targets: ["BackgroundTasks"]),
    .library(name: "BackgroundTasksNetworking", targets: ["BackgroundTasksNetworking"]),
    .library(name: "UserNotifications", targets: ["UserNotifications"]),
    .executable(name: "jobrun", targets: ["jobrun"]),
    .executable(name: "jobrund", targets: ["jobrund"]),
    .executable(name: "jobrun-shim", targets: ["jobrun-shim"]),
    .executable(name: "jobrun-node", targets: ["jobrun-node"]),
    .executable(name: "jobrun-engine", targets: ["jobrun-engine"]),
    .executable(name: "jobrun-helper", targets: ["jobrun-helper"]),
  ] + samples,
  targets: [
    // C declarations that Swift's Glibc lacks, and system libraries.
    .target(name: "CLinux", cSettings: commit),
    .systemLibrary(name: "CSQLite"),

    // The layers, lowest first. TidyTests holds the imports that each may have.
    // Rounding is in libm, which no other import of the executables links.
    .target(name: "JobCore", swiftSettings: lean, linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "JobWire", dependencies: ["JobCore"], exclude: ["protocol.md", "submission.md"],
      swiftSettings: lean),
    .target(name: "JobRecognition", dependencies: ["JobCore"], swiftSettings: lean),
    .target(name: "LinuxSystem", dependencies: ["CLinux"], swiftSettings: lean),
    .target(
      name: "JobPage", dependencies: ["LinuxSystem"],
      exclude: ["page.md", "run-record.md", "launch-order.md", "mirror.md"], swiftSettings: lean),
    .target(
      name: "JobSupervision", dependencies: ["JobPage", "LinuxSystem"], swiftSettings: small),
    .target(
      name: "JobStore", dependencies: ["JobCore", "JobWire", "CSQLite"], swiftSettings: lean),
    .target(
      name: "JobEngine", dependencies: ["JobCore", "JobWire", "JobPage", "LinuxSystem"],
      swiftSettings: lean),
    .target(name: "JobRuntime", dependencies: ["JobCore", "JobWire"], swiftSettings: lean),
    .target(
      name: "JobRunner",
      dependencies: [
        "JobRecognition", "JobRuntime", "JobCore", "JobWire", "LinuxSystem", "JobPage", "JobStore",
      ],
      swiftSettings: lean),
    .target(
      name: "JobClient", dependencies: ["JobCore", "JobWire", "JobPage", "LinuxSystem"],
      swiftSettings: small),
    .target(
      name: "BackgroundTasks",
      dependencies: ["JobClient", "JobRuntime", "JobCore", "JobWire", "JobPage", "LinuxSystem"],
      swiftSettings: strict),
    // Separate, because FoundationNetworking is many times the size of everything else.
    .target(
      name: "BackgroundTasksNetworking",
      dependencies: [
        "BackgroundTasks", "JobClient", "JobCore", "JobWire", "JobPage", "LinuxSystem",
      ],
      exclude: ["calls.md"], swiftSettings: strict),

    .target(
      name: "UserNotifications", dependencies: ["JobClient", "JobWire", "LinuxSystem"],
      swiftSettings: strict),

    // The executables.
    .executableTarget(
      name: "jobrun", dependencies: ["JobClient", "JobCore", "JobWire", "JobPage", "LinuxSystem"],
      exclude: ["Manual"], swiftSettings: small, linkerSettings: wholeStatic),
    .executableTarget(
      name: "jobrund", dependencies: ["JobRunner"], swiftSettings: lean,
      linkerSettings: wholeStatic),
    .executableTarget(
      name: "jobrun-shim", dependencies: ["JobSupervision", "JobPage", "LinuxSystem"],
      swiftSettings: small, linkerSettings: wholeStatic),
    .executableTarget(
      name: "jobrun-node", dependencies: ["JobSupervision", "JobPage", "LinuxSystem"],
      swiftSettings: small, linkerSettings: wholeStatic),
    .executableTarget(
      name: "jobrun-engine", dependencies: ["JobEngine", "JobWire", "LinuxSystem"],
      swiftSettings: lean, linkerSettings: wholeStatic),
    .executableTarget(
      name: "jobrun-helper",
      dependencies: ["JobClient", "JobCore", "JobPictures", "JobWire", "LazyCurl", "LinuxSystem"],
      swiftSettings: small, linkerSettings: smallDynamic),

    // Jobs in pictures. The files of the page are part of the program (`#embed`).
    .target(
      name: "WebPage",
      exclude: ["page.html", "page.css", "page.js", "icon.svg", "report.css"]),
    .target(name: "LazyHTTP"),
    .target(
      name: "JobPictures",
      dependencies: ["JobClient", "JobCore", "JobWire", "LazyHTTP", "LinuxSystem", "WebPage"],
      swiftSettings: small),

    // The sample jobs.
    .systemLibrary(name: "CArchive", path: "jobs/export/CArchive"),
    .target(
      name: "JobFiles", dependencies: ["BackgroundTasks", "JobWire"], path: "jobs/files/Sources",
      swiftSettings: strict),
    .target(name: "LazyArchive", path: "jobs/export/LazyArchive"),
    .target(
      name: "ExportJob", dependencies: ["BackgroundTasks", "CArchive", "JobFiles", "LazyArchive"],
      path: "jobs/export/Sources", swiftSettings: strict),
    .target(
      name: "MirrorJob", dependencies: ["BackgroundTasks", "JobFiles"],
      path: "jobs/mirror/Sources", swiftSettings: strict),
    .target(
      name: "VacuumJob", dependencies: ["BackgroundTasks", "CSQLite", "JobFiles"],
      path: "jobs/vacuum/Sources", swiftSettings: strict),
    .target(
      name: "RefreshJob", dependencies: ["BackgroundTasks", "JobFiles"],
      path: "jobs/refresh/Sources", swiftSettings: strict),
    .target(
      name: "GPUCheckJob", dependencies: ["BackgroundTasks"],
      path: "jobs/gpu-check/Sources", swiftSettings: strict),
    .target(name: "LazyCurl", path: "jobs/transfer/LazyCurl"),
    .target(
      name: "TransferJob", dependencies: ["BackgroundTasks", "JobFiles", "LazyCurl"],
      path: "jobs/transfer/Sources", swiftSettings: strict),
    .executableTarget(
      name: "Samples",
      dependencies: [
        "ExportJob", "MirrorJob", "VacuumJob", "RefreshJob", "GPUCheckJob", "TransferJob",
        "JobFiles",
      ] + noLocales.map { .target(name: $0.name) },
      path: "jobs/samples/Sources", swiftSettings: strict, linkerSettings: smallDynamic),

    // Test support, and the tests.
    .target(
      name: "TestKit", dependencies: ["LinuxSystem"], path: "Tests/TestKit", swiftSettings: strict),
    .target(
      name: "SimulatedWorld", dependencies: ["JobRuntime", "JobCore", "JobWire", "TestKit"],
      path: "Tests/Simulation/World", swiftSettings: strict),
    .executableTarget(
      name: "jobrun-sim", dependencies: ["SimulatedWorld", "JobCore", "TestKit"],
      path: "Tests/Simulation/Command", swiftSettings: strict),
    tests("JobCoreTests", ["JobCore", "SimulatedWorld", "TestKit"]),
    tests("JobWireTests", ["JobWire", "JobCore", "TestKit"]),
    tests("JobRuntimeTests", ["JobRuntime", "JobCore", "JobWire"]),
    tests(
      "JobRecognitionTests", ["JobRecognition", "JobCore", "JobWire", "TestKit"],
      exclude: ["Fixtures"]),
    tests("LinuxSystemTests", ["LinuxSystem", "TestKit", "clock-probe"]),
    // Prints the local time of the time zone in which it is started.
    .executableTarget(
      name: "clock-probe", dependencies: ["LinuxSystem"], path: "Tests/Fixtures/ClockProbe",
      swiftSettings: strict),
    tests("JobPageTests", ["JobPage", "LinuxSystem", "TestKit", "jobrun-shim"]),
    tests(
      "JobSupervisionTests",
      [
        "JobSupervision", "JobCore", "JobWire", "JobPage", "LinuxSystem", "TestKit", "jobrun-node",
        "jobrun-engine",
      ]),
    tests("JobEngineTests", ["JobEngine", "JobPage", "JobCore", "JobWire"]),
    tests(
      "JobStoreTests", ["JobStore", "JobCore", "JobWire", "CSQLite", "TestKit"],
      exclude: ["Fixtures"]),
    tests(
      "JobRunnerTests",
      [
        "JobRunner", "JobRecognition", "JobRuntime", "JobStore", "JobCore", "JobWire", "JobPage",
        "LinuxSystem", "TestKit", "jobrun-helper",
      ]),
    tests(
      "GPUCheckTests",
      ["GPUCheckJob", "Samples", "JobCore", "JobPage", "JobWire", "LinuxSystem", "TestKit"]),
    // The programs of the articles in BackgroundTasks.docc.
    .executableTarget(
      name: "jobrun-snippet-first", dependencies: ["BackgroundTasks"],
      path: "Tests/Snippets/FirstJob", exclude: ["Package.swift.txt"], swiftSettings: ordinary),
    .executableTarget(
      name: "jobrun-snippet-declared", dependencies: ["BackgroundTasks"],
      path: "Tests/Snippets/Declared", swiftSettings: ordinary),
    // The template of `jobrun new --language swift`.
    .executableTarget(
      name: "jobrun-snippet-new", dependencies: ["BackgroundTasks"],
      path: "Tests/Snippets/New", swiftSettings: ordinary),
    tests(
      "BackgroundTasksTests",
      [
        "BackgroundTasks", "JobPage", "LinuxSystem", "TestKit", "jobrun-snippet-first",
        "jobrun-snippet-declared",
      ]),
    tests(
      "BackgroundTasksNetworkingTests",
      [
        "session-probe", "corpus-networking", "corpus-networking-by-name", "jobrun", "jobrund",
        "jobrun-shim", "jobrun-helper", "Samples", "BackgroundTasksNetworking", "JobCore",
        "TestKit",
      ]),
    .testTarget(
      name: "ExportTests",
      dependencies: ["ExportJob", "Samples", "CArchive", "JobPage", "LinuxSystem", "TestKit"],
      swiftSettings: strict, linkerSettings: [.linkedLibrary("archive")]),
    tests("VacuumTests", ["Samples", "CSQLite", "JobPage", "LinuxSystem", "TestKit"]),
    tests(
      "RefreshTests",
      [
        "Samples", "JobPage", "LinuxSystem", "TestKit", "jobrun", "jobrund", "jobrun-shim",
        "jobrun-helper", "JobCore", "JobWire",
      ]),
    tests(
      "MirrorTests", ["MirrorJob", "JobFiles", "Samples", "JobPage", "LinuxSystem", "TestKit"]),
    tests(
      "TransferTests", ["TransferJob", "JobFiles", "Samples", "JobPage", "LinuxSystem", "TestKit"]),
    tests("JobClientTests", ["JobClient", "JobCore", "JobWire", "LinuxSystem", "TestKit"]),
    tests(
      "CommandLineTests",
      ["jobrun", "JobClient", "JobCore", "JobWire", "JobPage", "LinuxSystem", "TestKit"],
      exclude: ["Runs", "Screens"]),
    tests(
      "EndToEndTests",
      [
        "TestKit", "LinuxSystem", "JobCore", "JobWire", "JobPage", "jobrun", "jobrund",
        "jobrun-snippet-new", "jobrun-shim", "jobrun-node", "jobrun-engine", "jobrun-helper",
        "hosted-probe", "app-probe", "delegate-probe", "locale-probe", "corpus-swift5",
        "corpus-swift6", "corpus-warned", "Samples", "JobStore",
      ], exclude: ["Golden"]),
    // A foreign program that hosts tasks.
    .executableTarget(
      name: "hosted-probe", dependencies: ["BackgroundTasks"], path: "Tests/Fixtures/HostedProbe",
      swiftSettings: strict),
    // A program with a background session, whose steps are its arguments.
    .executableTarget(
      name: "session-probe", dependencies: ["BackgroundTasksNetworking"],
      path: "Tests/Fixtures/SessionProbe", swiftSettings: ordinary),
    // Apps in the shapes of SwiftUI and of UIKit.
    .executableTarget(
      name: "app-probe", dependencies: ["BackgroundTasks", "UserNotifications"],
      path: "Tests/Fixtures/AppProbe",
      swiftSettings: ordinary),
    .executableTarget(
      name: "delegate-probe", dependencies: ["BackgroundTasks"],
      path: "Tests/Fixtures/DelegateProbe", swiftSettings: ordinary),
    // Formats by locale, which workers without ICU data cannot do.
    .executableTarget(
      name: "locale-probe", dependencies: noLocales.map { .target(name: $0.name) },
      path: "Tests/Fixtures/LocaleProbe", swiftSettings: ordinary, linkerSettings: smallDynamic),
    // Uses of the framework from real code, with the same sources in both language modes.
    .executableTarget(
      name: "corpus-swift5", dependencies: ["BackgroundTasks"], path: "Tests/Corpus/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "corpus-swift6", dependencies: ["BackgroundTasks"], path: "Tests/Corpus/Programs",
      swiftSettings: ordinary),
    .executableTarget(
      name: "corpus-warned", dependencies: ["BackgroundTasks"], path: "Tests/Corpus/Warned",
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
    // The same of background sessions, with FoundationNetworking imported by name and without.
    .executableTarget(
      name: "corpus-networking", dependencies: ["BackgroundTasksNetworking"],
      path: "Tests/Corpus/Networking", swiftSettings: ordinary),
    .executableTarget(
      name: "corpus-networking-by-name", dependencies: ["BackgroundTasksNetworking"],
      path: "Tests/Corpus/NetworkingByName",
      swiftSettings: ordinary + [
        .define("BY_NAME"), .treatWarning("DeprecatedDeclaration", as: .warning),
      ]),
    tests("TidyTests", ["TestKit"]),
    // Kills a real runner again and again under load: `make torture`.
    .executableTarget(
      name: "jobrun-torture", dependencies: ["TestKit", "LinuxSystem", "JobCore", "JobWire"],
      path: "Tests/Torture", swiftSettings: strict),
    // Measures every budget beside its reference: `make bench`.
    .executableTarget(
      name: "jobrun-bench",
      dependencies: [
        "BackgroundTasks", "TestKit", "LinuxSystem", "JobCore", "JobWire", "JobPage", "JobStore",
        "CSQLite",
      ],
      path: "Tests/Bench", exclude: ["Python", "Stamp"], swiftSettings: strict),
    .executableTarget(name: "jobrun-bench-stamp", path: "Tests/Bench/Stamp"),
  ] + noLocales + fuzzing
)

/// A definition to start from, in one of three languages: it counts to ten, reports each step, and stops on
/// request.
enum JobTemplate {
  enum Language: String, CaseIterable {
    case shell, python, swift
  }

  /// A file to be written below the definition's folder.
  struct File: Hashable {
    var path: String
    var text: String
    var isExecutable = false
  }

  /// All files of the definition `name` of the bundle `bundle`.
  ///
  /// `package`: the folder of jobrun's own sources; only Swift needs it.
  static func files(
    _ name: String, bundle: String, _ language: Language, package: String
  ) -> [File] {
    let pattern = "\(bundle).\(name).*"
    let manifest = File(path: "job.json", text: definition(name, pattern, language))
    return [manifest] + programs(name, language, pattern: pattern, package: package)
  }

  /// The manifest of a bundle that is begun with this definition.
  static func bundle(_ identifier: String) -> String {
    """
    { "identifier": "\(identifier)", "name": "My jobs" }

    """
  }

  private static func definition(
    _ name: String, _ pattern: String, _ language: Language
  ) -> String {
    // Compiled code is built when it is missing or older than its sources, not at every start.
    let command =
      language == .swift
      ? """
      "command": [".build/release/\(name)"],
        "build": ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "\(name)"],
      """ : "\"command\": [\"\(name)\"],"
    return """
      {
        "identifier": "\(pattern)",
        "title": "\(name)",
        \(command)
        // What jobrun help \(name) says.
        "about": "Counts to ten.",
        "usage": "[ARG …]"
      }

      """
  }

  private static func programs(
    _ name: String, _ language: Language, pattern: String, package: String
  ) -> [File] {
    switch language {
    case .shell: return [File(path: name, text: shell, isExecutable: true)]
    case .python: return [File(path: name, text: python, isExecutable: true)]
    case .swift:
      return [
        File(path: ".gitignore", text: ".build/\n.jobrun-built*\n"),
        File(path: "Package.swift", text: manifest(name, package: package)),
        File(path: "Sources/\(name)/main.swift", text: swift(pattern)),
      ]
    }
  }

  private static let shell = """
    #!/bin/sh
    # Each call of jobrun progress is a sign of life; --advance is what moves the bar.
    set -e
    jobrun progress --total 10 --unit items
    for step in 1 2 3 4 5 6 7 8 9 10; do
      sleep 0.2
      jobrun progress --advance 1 --subtitle "step $step"
    done
    echo "counted to ten"

    """

  private static let python = #"""
    #!/usr/bin/env python3
    # Reports by writing to the page that JOBRUN_PAGE names: no call, no lock.
    import mmap, os, struct, time


    class Page:
        COMPLETED, TOTAL, REPORTS, CONTROL, OUTCOME = 64, 72, 80, 1024, 1088

        def __init__(self, path):
            with open(path, "r+b") as file:
                self.map = mmap.mmap(file.fileno(), 4096)

        def set(self, offset, value):
            struct.pack_into("<Q", self.map, offset, value)

        def stopped(self):
            return struct.unpack_from("<I", self.map, self.CONTROL)[0] == 1

        def succeed(self):
            struct.pack_into("<I", self.map, self.OUTCOME, 1)


    page = Page(os.environ["JOBRUN_PAGE"])
    page.set(Page.TOTAL, 10)
    for step in range(1, 11):
        if page.stopped():
            raise SystemExit(1)
        time.sleep(0.2)
        page.set(Page.COMPLETED, step)
    page.succeed()
    print("counted to ten")

    """#

  private static func manifest(_ name: String, package: String) -> String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      dependencies: [.package(name: "jobrun", path: "\(package)")],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [.product(name: "BackgroundTasks", package: "jobrun")],
          // A job starts for each submission: smaller, and at a fixed place, it does so sooner.
          linkerSettings: [
            .unsafeFlags(
              ["-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xclang-linker", "-no-pie"],
              .when(configuration: .release))
          ])
      ])

    """
  }

  private static func swift(_ pattern: String) -> String {
    #"""
    import BackgroundTasks

    BGTaskScheduler.shared.register(forTaskWithIdentifier: "\#(pattern)") { task in
      task.progress.totalUnitCount = 10
      for step in 1...10 {
        try await Task.sleep(for: .milliseconds(200))
        task.updateSubtitle("step \(step)")
        task.progress.completedUnitCount += 1
      }
    }
    BGTaskScheduler.shared.runUntilComplete()

    """#
  }
}

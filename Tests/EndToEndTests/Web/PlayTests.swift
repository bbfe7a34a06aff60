import Foundation
import JobCore
import TestKit
import Testing

// `make screens`: a fixed scenario, as seen in terminals and browsers, for review.
extension WebPageTests {
  private static let folder = ProcessInfo.processInfo.environment["JOBRUN_SCREENS"]

  @Test(.enabled(if: folder != nil, "make screens asks for it")) func `the play is seen`() throws {
    let folder = try #require(Self.folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try play()
    let all = "Nightly index 1"
    for columns in [40, 60, 80, 120, 200] {
      try screen(columns, ["watch"], until: all, "\(folder)/watch-\(columns).txt")
      try screen(
        columns, ["attach", "group:render"], until: "19/50", "\(folder)/batch-\(columns).txt")
    }
    for (name, keys, shown) in [
      // The failed frames of the batch are reached after the four other failures.
      ("failed", "ffffff", "no such texture"), ("job", "f\r", "it reached its limit"),
      ("filter", "/frame 7\r", "Render frame 7"), ("log", "\u{1B}[Hl/[42/\r", "continued at"),
      ("keys", "?", "any key"), ("marks", "\u{1B}[H ji", "marked"),
    ] {
      try screen(100, ["watch"], all, keys, until: shown, "\(folder)/\(name)-100.txt")
    }
    try screen(80, ["attach", "9"], until: "d detach", "\(folder)/attach-80.txt")
    try workshop.jobrun("report").output.write(
      toFile: "\(folder)/report.html", atomically: true, encoding: .utf8)
    let served = try ServedPage(workshop)
    for (width, height) in [(1440, 900), (390, 844)] {
      for isDark in [false, true] {
        let page = try opened(served, width: width, height: height, isDark: isDark)
        let size = "\(width)-\(isDark ? "dark" : "light").png"
        try page.wait(until: "document.querySelectorAll('#live .row').length > 5")
        try page.picture("\(folder)/now-\(size)")
        for (place, shown) in [
          ("/history", "#timeline .key"), ("/jobs/9", "#log div"), ("/jobs/15", ".acts .main"),
          ("/groups/render", "#members li"),
        ] {
          _ = try page.value("location.hash = '\(place)'")
          try page.wait(until: "document.querySelector('\(shown)') !== null")
          // Two frames later it is drawn.
          _ = try page.value(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
          try page.picture("\(folder)/\(place.dropFirst().replacing("/", with: "-"))-\(size)")
        }
      }
    }
  }

  private func screen(
    _ columns: Int, _ words: [String], _ ready: String = "", _ keys: String = "",
    until text: String, _ path: String
  ) throws {
    let terminal = try Pseudoterminal(columns: UInt16(columns), rows: 30)
    let program = try workshop.sandbox.start(
      "jobrun", words, on: terminal, environment: workshop.environment)
    if !keys.isEmpty {
      try terminal.wait(untilShown: ready)
      try terminal.send(keys)
    }
    try terminal.wait(untilShown: text)
    let lines = terminal.screen(columns: columns).lines
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    program.signal(15)
    _ = try program.wait()
  }

  /// About 30 jobs in all states, and a batch of 50.
  private func play() throws {
    func run(_ title: String, _ script: String, _ flags: String...) throws {
      try workshop.sandbox.run(
        "jobrun", ["run", "--title", title] + flags + ["--", "sh", "-c", script],
        environment: workshop.environment)
    }
    try workshop.jobrun("slots", "20")
    for number in 1...4 { try run("Nightly index \(number)", "echo step \(number)") }
    try run("Export photos", "printf '\\033[31merror:\\033[0m disk on fire\\n'; exit 3")
    try run("Compile 写真 library", "echo 'make: *** No targets.  Stop.'; exit 2")
    try run("Segfault", "kill -SEGV $$")
    try run("Too slow", "exec sleep 100", "--limit", "300ms")
    let stays = "read x < \"$GATE\""
    _ = workshop.gate
    try run(
      "Build with a very long title that goes on and on and explains everything twice",
      "for i in $(seq 120); do printf '\\033[32m[%d/900]\\033[0m Compiling file.c\\n' $i; done; \(stays)",
      "--detach")
    for (title, counts) in [
      ("Download debian-12.iso", "--unit bytes --total 3900000000 --completed 1200000000"),
      ("📷 Photos → album 👩‍👩‍👧 family", "--total 50 --completed 20 --subtitle photos/img_0042.jpg"),
      ("写真の書き出し 2026年", "--total 500 --completed 480"),
      ("تصدير الصور لعام 2026", "--total 400 --completed 40"),
      ("Paused", "--total 10 --completed 3"), ("Stalled upload", "--total 100 --completed 43"),
    ] {
      try run(title, "jobrun progress \(counts); echo told; \(stays)", "--detach")
    }
    try run("Server without progress", "echo listening; \(stays)", "--detach")
    try workshop.jobrun("pause", "14")
    try workshop.jobrun("simulate", "stall", "15")
    try workshop.jobrun("group", "render", "--slots", "3")
    let frame =
      "case {} in *7) echo 'error: no such texture'; exit 1;; ?|1?) exit 0;; esac; \(stays)"
    try workshop.sandbox.run(
      "jobrun",
      [
        "each", "--detach", "--group", "render", "--title", "Render frame", "--", "sh", "-c", frame,
        ":::",
      ]
        + (1...50).map(String.init), environment: workshop.environment)
    try run("Later", "true", "--detach", "--not-before", "+5h")
    try run("Held", "true", "--detach", "--hold")
    try run("After the build", "true", "--detach", "--after", "9")
  }
}

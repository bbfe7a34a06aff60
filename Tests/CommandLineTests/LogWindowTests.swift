import LinuxSystem
import TestKit
import Testing

@testable import jobrun

/// What `jobrun watch` shows of a log: its end, another part, or what was searched for.
struct LogWindowTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func window(_ text: String) throws -> LogWindow {
    var window = LogWindow(path: try sandbox.write(text, to: "log"))
    _ = window.part(rows: 4, columns: 80)
    return window
  }

  private static func lines(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { "line \($0)\n" }.joined()
  }

  /// Numbers of the visible lines.
  private func seen(_ window: inout LogWindow) -> [String] {
    window.part(rows: 4, columns: 80).lines.map { String($0.text.drop { $0 != " " }.dropFirst()) }
  }

  /// Searches to the end; what is said.
  private func find(_ text: String, isBack: Bool = false, _ window: inout LogWindow) -> String? {
    window.take(.find(text, isBack: isBack), rows: 4)
    var said: String?
    while window.isSearching { said = window.searchOn(rows: 4, until: 0) }
    return said
  }

  @Test func `it follows the end, is scrolled, and follows again at the end`() throws {
    var window = try window(Self.lines(1...20))
    #expect(seen(&window) == ["17", "18", "19", "20"])
    #expect(window.part(rows: 4, columns: 80).place == nil)
    window.take(.move(.up), rows: 4)
    #expect(seen(&window) == ["16", "17", "18", "19"])
    window.take(.move(.pageUp), rows: 4)
    #expect(seen(&window) == ["12", "13", "14", "15"])
    #expect(window.part(rows: 4, columns: 80).place == "to 73 % of 151 B")
    // What is printed meanwhile moves nothing.
    try sandbox.write(Self.lines(1...30), to: "log")
    #expect(seen(&window) == ["12", "13", "14", "15"])
    window.take(.move(.first), rows: 4)
    window.take(.move(.up), rows: 4)
    #expect(seen(&window) == ["1", "2", "3", "4"])
    window.take(.move(.pageDown), rows: 4)
    window.take(.move(.down), rows: 4)
    #expect(seen(&window) == ["6", "7", "8", "9"])
    for _ in 1...9 { window.take(.move(.pageDown), rows: 4) }
    try sandbox.write(Self.lines(1...40), to: "log")
    #expect(seen(&window) == ["37", "38", "39", "40"])
  }

  @Test func `a search goes on, comes around, and goes back`() throws {
    let text = Self.lines(1...10) + "Error: 11 no such file\n" + Self.lines(12...20)
    var window = try window(text + "error: 21\n")
    // From the visible part on: the end is visible.
    #expect(find("error", &window) == nil)
    #expect(seen(&window) == ["18", "19", "20", "21"])
    #expect(find("error", &window) == "search continued from the beginning")
    #expect(seen(&window) == ["10", "11 no such file", "12", "13"])
    #expect(find("error", &window) == nil)
    #expect(find("error", isBack: true, &window) == nil)
    #expect(seen(&window).contains("11 no such file"))
    #expect(find("error", isBack: true, &window) == "search continued from the end")
    #expect(find("Error", isBack: true, &window) == nil)
    #expect(find("ERROR", &window) == "\"ERROR\" is not in this log")
    #expect(find("ERROR", isBack: true, &window) == "\"ERROR\" is not in this log")
  }

  @Test func `a search of a large log says how far it is, and is ended by a key`() throws {
    var window = try window(String(repeating: "0123456789abcde\n", count: 200_000) + "found\n")
    window.take(.move(.first), rows: 4)
    _ = window.part(rows: 4, columns: 80)
    window.take(.find("found", isBack: false), rows: 4)
    #expect(window.searchOn(rows: 4, until: 0) == "searching, 32 % (Esc stops)")
    window.take(.forget, rows: 4)
    #expect(!window.isSearching)
    #expect(find("found", &window) == nil)
    #expect(seen(&window).count == 4)
    #expect(window.part(rows: 4, columns: 80).lines.last?.text == "found")
  }

  @Test func `what was found is marked in the colours of its line, however far to the right`()
    throws
  {
    let far = String(repeating: "x", count: 500)
    var window = try window("\u{1B}[31mred Needle\u{1B}[0m end\n\(far) needle\n写 needle\n")
    #expect(find("needle", &window) == nil)
    let lines = window.part(rows: 4, columns: 80).lines
    #expect(
      lines[0].pieces.map(\.text) == ["red ", "Needle", " end"]
        && lines[0].pieces[1].style == .found)
    #expect(lines[2].pieces.map(\.text) == ["写 ", "needle"])
    #expect(!lines[1].cut(to: 80).text.contains("needle"))
    #expect(find("needle", &window) == nil)
    let line = window.part(rows: 4, columns: 80).lines[1].cut(to: 80)
    #expect(line.text.hasPrefix("…x") && line.text.hasSuffix(" needle") && line.width < 80)
  }

  @Test func `the middle of a log that was left out costs nothing`() throws {
    let path = try sandbox.write("first\nsecond\n", to: "log")
    let file = try File.open(path, [.write])
    try file.write(Array("third\nfourth\n".utf8), at: 1 << 40)
    var window = LogWindow(path: path)
    #expect(window.part(rows: 3, columns: 80).lines.last?.text == "fourth")
    #expect(find("second", &window) == "search continued from the beginning")
    #expect(window.part(rows: 3, columns: 80).lines.map(\.text).contains("second"))
    #expect(find("nowhere", &window) == "\"nowhere\" is not in this log")
  }

  @Test func `no log, an empty one and one line without an end are shown, too`() throws {
    var none = LogWindow(path: sandbox.path("none"))
    #expect(none.part(rows: 4, columns: 80).lines.isEmpty)
    none.take(.move(.up), rows: 4)
    #expect(find("x", &none) == "the log cannot be read")
    var empty = try window("")
    for move in [KeyMove.up, .down, .pageUp, .pageDown, .first, .last] {
      empty.take(.move(move), rows: 4)
    }
    #expect(empty.part(rows: 4, columns: 80).lines.isEmpty)
    #expect(find("x", &empty) == "\"x\" is not in this log")
    var endless = try window(String(repeating: "y", count: 3_000_000) + "z")
    #expect(endless.part(rows: 4, columns: 80).lines.count == 1)
    for _ in 1...5 { endless.take(.move(.pageUp), rows: 4) }
    #expect(find("z", &endless) == nil)
    endless.take(.move(.down), rows: 0)
    #expect(endless.part(rows: 1, columns: 1).lines.count == 1)
  }
}

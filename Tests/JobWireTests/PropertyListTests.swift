import Foundation
import JobWire
import Testing

struct PropertyListTests {
  private func read(_ text: String) throws -> PropertyList { try PropertyList(Array(text.utf8)) }

  private func problem(_ text: String) -> String {
    do throws(PropertyList.Problem) {
      return "\(try PropertyList(Array(text.utf8)))"
    } catch {
      return "\(error.line ?? 0): \(error.sentence)"
    }
  }

  private static var content: [String: Any] {
    [
      "CFBundleIdentifier": "org.example.app", "Größe": "grün & <rot>", "empty": "",
      "modes": ["fetch", "remote-notification"], "flag": true, "count": 3, "half": 0.5,
      "bytes": Data([1, 2]), "date": Date(timeIntervalSince1970: 0),
      "long": String(repeating: "x", count: 700),
      "nested": ["a": ["b": [["c"]]]],
    ]
  }

  private static let expected = PropertyList.table([
    "CFBundleIdentifier": .text("org.example.app"), "Größe": .text("grün & <rot>"),
    "empty": .text(""), "modes": .list([.text("fetch"), .text("remote-notification")]),
    "flag": .other, "count": .other, "half": .other, "bytes": .other, "date": .other,
    "long": .text(String(repeating: "x", count: 700)),
    "nested": .table(["a": .table(["b": .list([.list([.text("c")])])])]),
  ])

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `what Foundation writes is read`(format: PropertyListSerialization.PropertyListFormat) throws
  {
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: Self.content, format: format, options: 0)
    #expect(try PropertyList(Array(bytes)) == Self.expected)
  }

  @Test func `what people write by hand is read`() throws {
    let text = """
      \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
      <!-- ours --><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/x.dtd">
      <plist version="1.0"><dict><key>a</key><!-- b --><string><![CDATA[<&]]>&#65;&#x42;&amp;</string>
      <key>c</key><array/><key>d</key><dict/><key>e</key><string/><key>f</key><true/></dict></plist>
      """
    #expect(
      try read(text)
        == .table([
          "a": .text("<&AB&"), "c": .list([]), "d": .table([:]), "e": .text(""), "f": .other,
        ]))
    #expect(try read("<dict></dict>") == .table([:]))
  }

  @Test(arguments: [
    ("", "1: it ends too early"), ("hello", "1: a tag like <dict> must be here"),
    ("<plist><dict>\n<string>a</string></dict></plist>", "2: <key> must be before each value"),
    ("<plist><dict><key>a</key></dict></plist>", "1: </dict> ends nothing"),
    ("<plist><array>\n\n<blink/></array></plist>", "3: <blink> is no value"),
    ("<plist><string>a</strong></plist>", "1: </string> is missing"),
    ("<plist><string>&nbsp;</string></plist>", "1: &nbsp; is not known"),
    ("<plist><dict", "1: > is missing"),
    (
      String(repeating: "<array>", count: 50),
      "1: it has too many values, or too many within each other"
    ),
  ])
  func `a broken one is refused with its line`(text: String, sentence: String) {
    #expect(problem(text) == sentence)
  }

  @Test func `a damaged binary one is refused, whatever byte is damaged`() throws {
    let bytes = Array(
      try PropertyListSerialization.data(
        fromPropertyList: Self.content, format: .binary, options: 0))
    for index in bytes.indices {
      for byte: UInt8 in [0, 0x0F, 0x7F, 0xAF, 0xFF] {
        var damaged = bytes
        damaged[index] = byte
        _ = try? PropertyList(damaged)
      }
      _ = try? PropertyList(Array(bytes[..<index]))
    }
    // Lists that contain the same list again and again stand for 15^9 values.
    var bomb = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for level in 0..<10 {
      offsets.append(UInt8(bomb.count))
      bomb += [0xAE] + [UInt8](repeating: UInt8(level + 1), count: 14)
    }
    offsets.append(UInt8(bomb.count))
    bomb += [0xA0]
    let table = UInt8(bomb.count)
    bomb += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    bomb += [0, 0, 0, 0, 0, 0, 0, 11] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
    #expect(throws: PropertyList.Problem.self) { try PropertyList(bomb) }
  }
}

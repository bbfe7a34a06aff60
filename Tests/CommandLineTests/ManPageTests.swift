import JobWire
import Testing

@testable import jobrun

/// The man page, made from the table of verbs.
struct ManPageTests {
  @Test func `it names every verb and every flag`() {
    for verb in Verb.all {
      #expect(ManPage.text.contains(".SS \"\(verb.name.rawValue)\"\n"))
      for flag in verb.flags {
        #expect(ManPage.text.contains(flag.spelling.replacing("-", with: "\\-")), "\(flag.name)")
      }
    }
  }

  @Test func `it names every setting, and none that is not read`() {
    for key in SettingsKey.all { #expect(ManPage.text.contains(".B \(key.name)\n")) }
  }

  @Test func `no text is taken for a request`() {
    let requests = [
      ".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".nf", ".fi", ".RS", ".RE",
    ]
    for line in ManPage.text.split(separator: "\n") where line.hasPrefix(".") {
      let word = line.prefix { $0 != " " }
      #expect(requests.contains(String(word)), "\(line)")
    }
    #expect(!ManPage.text.contains("\n'"))
  }
}

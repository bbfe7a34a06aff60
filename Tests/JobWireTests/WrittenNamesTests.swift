import JobCore
import JobWire
import Testing

/// Names of files for outputs, days of a schedule and targets of notices, as people write them.
@Suite struct WrittenNamesTests {
  @Test(arguments: [
    ("/a/out.txt", "/a/out.txt"), ("/a/%g-%j.txt", "/a/render-12.txt"), ("/%i", "/7"),
    ("/100%%", "/100%"), ("/%j%j", "/1212"), ("/%{}/%%{1}", "/{}/%{1}"),
  ])
  func `placeholders are filled`(_ path: String, _ filled: String) throws {
    try OutputPath.check(path, "stdout")
    #expect(
      OutputPath.filled(
        path, JobNumber(12), group: "render", identifier: "io.jobrun.run.k3f9abcd.7") == filled)
  }

  @Test(arguments: [
    ("/o/{}", "/o/a/b.c d%%j"), ("/{1/.}-{2}.txt", "/b-d%%j.txt"), ("/{#}/%i", "/7/%i"),
    ("/%{}%%{2}", "/%{}%%d%%j"), ("/%", "/%"), ("/{3}x", "/x"), ("/plain", "/plain"),
  ])
  func `places are filled with the inputs, in which nothing is a placeholder`(
    _ path: String, _ filled: String
  ) {
    let inputs = ["a/b.c", "d%j"].map { Array($0.utf8)[...] }
    #expect(
      OutputPath.filled(path, with: CommandTemplate.Filling(inputs, position: 7)) == filled)
  }

  @Test func `a job that was submitted alone is the first`() {
    let filled = OutputPath.filled(
      "/%g%i", JobNumber(3), group: nil, identifier: "io.jobrun.run.12345678")
    #expect(filled == "/1")
  }

  @Test(arguments: ["out.txt", "", "/a%x", "/a%", "/%J"])
  func `other names are refused`(_ path: String) {
    #expect(throws: WireError.self) { try OutputPath.check(path, "stdout") }
  }

  @Test(arguments: [
    ("mon-fri", "mon-fri"), ("Monday", "mon"), ("sat,sun", "sat,sun"), ("fri-mon", "mon,fri-sun"),
    ("1st", "1st"), ("15th 1st", "1st,15th"), ("jan-mar 1st", "jan-mar 1st"), ("may", "may"),
    ("mon 1st", "mon 1st"), ("22nd,23rd,24th", "22nd-24th"), ("sept 11th", "sep 11th"),
  ])
  func `days are read and written`(_ text: String, _ written: String) throws {
    let days = try #require(CivilDaysText.parse(text))
    #expect(CivilDaysText.format(days) == written)
    #expect(CivilDaysText.parse(written) == days)
  }

  @Test(arguments: [
    "", "mo", "1", "32nd", "1th", "mon-", "-", "feb 30th", "someday", "mon-1st", "a-b-c",
  ])
  func `other days are none`(_ text: String) {
    #expect(CivilDaysText.parse(text) == nil)
  }

  @Test func `targets of notices`() {
    #expect(NoticeTarget("ntfy:my-topic") == .ntfy("https://ntfy.sh/my-topic"))
    #expect(NoticeTarget("ntfy:https://example.org/t") == .ntfy("https://example.org/t"))
    #expect(
      NoticeTarget("https://example.org/hook?k=1") == .webhook("https://example.org/hook?k=1"))
    #expect(NoticeTarget("mailto:me@example.org") == .mail("me@example.org"))
    #expect(NoticeTarget("https://u:secret@example.org/hook?k=1")?.place == "example.org")
    #expect(NoticeTarget("mailto:root") == .mail("root"))
    for text in [
      "", "ntfy:", "ntfy:a b", "ntfy:a/b", "mailto:", "mailto:a@", "mailto:-oX@b", "mailto:a@b,c@d",
      "ftp://example.org", "https://", "https:///x", "https://a b", "desktop",
    ] {
      #expect(NoticeTarget(text) == nil, "\(text)")
    }
  }

  @Test func `notices by name in the settings`() throws {
    func notices(_ text: String) throws -> NoticeSettings {
      try RunnerConfiguration.parse(Array(text.utf8), file: "config.json").notices
    }
    #expect(
      try notices(#"{"notify": "ntfy:mytopic"}"#).targets == [.ntfy("https://ntfy.sh/mytopic")])
    #expect(try notices(#"{"notify": "ntfy:mytopic"}"#).desktop)
    #expect(try notices(#"{"notify": ["mailto:root", "https://a.org/x"]}"#).targets.count == 2)
    let whole = try notices(#"{"notify": {"desktop": false, "after": "0s", "to": "mailto:root"}}"#)
    #expect(whole.targets == [.mail("root")] && !whole.desktop && whole.rules.after == .zero)
    let error = #expect(throws: ManifestError.self) { try notices(#"{"notify": "pager:1"}"#) }
    #expect(error?.message.contains("\"pager:1\"; it must be \"ntfy:TOPIC\"") == true)
  }
}

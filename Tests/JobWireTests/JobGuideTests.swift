import JobCore
import JobWire
import Testing

/// A definition's arguments, and the missing ones.
@Suite struct JobGuideTests {
  private func guide(_ members: String) throws -> JobGuide {
    let bundle = try BundleManifest.parse(Array(#"{"identifier": "org.a"}"#.utf8), file: "b.json")
    let text = #"{"identifier": "org.a.x.*", "command": ["x"], \#(members)}"#
    return try JobManifest.parse(Array(text.utf8), file: "x/job.json", bundle: bundle).guide
  }

  @Test func `about, usage and arguments are read`() throws {
    let guide = try guide(
      """
      "about": "Packs a folder, v. 2. Then it ends.\\nMore.", "usage": "[--force] SOURCE [TARGET]",
      "arguments": [{"name": "SOURCE", "about": "what to pack"}, {"name": "TARGET", "required": false}]
      """)
    #expect(guide.about == "Packs a folder, v. 2. Then it ends.\nMore.")
    #expect(guide.form == "[--force] SOURCE [TARGET]")
    #expect(guide.arguments.map(\.name) == ["SOURCE", "TARGET"])
    #expect(guide.arguments.map(\.isRequired) == [true, false])
    #expect(guide.arguments[0].about == "what to pack")
    #expect(guide.flags == ["--force"])
    #expect(!guide.isEmpty)
  }

  @Test func `without them nothing is known and nothing is missing`() throws {
    let guide = try guide(#""title": "X""#)
    #expect(guide.isEmpty && guide.form.isEmpty && guide.missing(from: []).isEmpty)
  }

  @Test func `the arguments say how they are written when usage does not`() throws {
    let guide = try guide(#""arguments": [{"name": "A"}, {"name": "B", "required": false}]"#)
    #expect(guide.form == "A [B]")
  }

  @Test(arguments: [
    ("Packs a folder. And more.", "Packs a folder"),
    ("Fetches example.org now", "Fetches example.org now"),
    ("One line\nanother", "One line"), ("", ""), (".", ""),
  ])
  func `the first sentence is the summary`(about: String, summary: String) {
    var guide = JobGuide()
    guide.about = about
    #expect(guide.summary == summary)
  }

  @Test(
    arguments: [
      ([], ["URL", "FILE"]), (["a"], ["FILE"]), (["a", "b"], []), (["a", "b", "c"], []),
      (["--once"], ["URL", "FILE"]), (["--once", "a", "b"], []),
      // The value of a flag is no argument.
      (["--every", "1h", "a"], ["FILE"]), (["--every=1h", "a", "b"], []),
      (["--unknown", "a", "b"], []), (["--", "--every", "1h"], []), (["-", "b"], []),
      (["--", "-x"], ["FILE"]), (["--every"], ["URL", "FILE"]),
    ] as [([String], [String])])
  func `what is missing is told by its place`(words: [String], missing: [String]) throws {
    let guide = try guide(
      #""usage": "[--every DURATION | --once] URL FILE", "#
        + #""arguments": [{"name": "URL"}, {"name": "FILE"}]"#)
    #expect(guide.missing(from: words).map(\.name) == missing)
  }

  @Test(arguments: [
    (#""about": 5"#, #""about" is 5; it must be a string"#),
    (#""about": "a\u001b[2J""#, #""about" contains control characters"#),
    (#""usage": "a\nb""#, #""usage" contains control characters; write one line"#),
    (#""arguments": ["A"]"#, #""arguments" holds a string; a list of objects { … } is expected"#),
    (#""arguments": {"name": "A"}"#, #""arguments" is an object; it must be a list of objects"#),
    (#""arguments": [{"about": "x"}]"#, #""arguments.name" is missing; write something like"#),
    (#""arguments": [{"name": "a b"}]"#, #""arguments.name" is "a b"; it must be one word"#),
    (#""arguments": [{"name": ""}]"#, "it must be one word"),
    (#""arguments": [{"name": "--force"}]"#, "it must be one word"),
    (#""arguments": [{"name": "A", "need": true}]"#, #"the key "need" is not known"#),
    (#""arguments": [{"name": "A"}, {"name": "A"}]"#, #""arguments" names A twice"#),
    (
      #""arguments": [{"name": "A", "required": false}, {"name": "B"}]"#,
      "has B, which is required, after A, which is not"
    ),
    (#""build": []x"#, "is not valid"),
    (#""build": "make""#, #""build" is "make"; it must be a list"#),
    (#""build": [""]"#, #""build" begins with an empty program name"#),
  ])
  func `a mistake is one sentence`(member: String, expected: String) {
    let error = #expect(throws: ManifestError.self) { try guide(member) }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }
}

import JobWire
import Testing

@testable import jobrun

/// Options in the comments of a script.
@Suite struct ScriptOptionsTests {
  private func lines(_ text: String) -> [String] {
    ScriptOptions.lines(in: Array(text.utf8)).map { "\($0.number):\($0.text)" }
  }

  @Test func `only the comments at the beginning count`() {
    let script = """
      #!/bin/sh
      # A comment.
      #JOBRUN --limit 2h

      #JOBRUN\t--group x # why
      #JOBRUNNER --no
      # #JOBRUN --no
      echo
      #JOBRUN --late
      """
    #expect(lines(script) == ["3: --limit 2h", "5:\t--group x # why"])
    #expect(lines("") == [])
    #expect(lines("#!/bin/sh\n#JOBRUN") == ["2:"])
  }

  @Test(arguments: [
    ("--limit 2h", ["--limit", "2h"]), ("  --title 'a  b' ", ["--title", "a  b"]),
    ("--env=\"A=1 2\"", ["--env=A=1 2"]), ("-f # a comment", ["-f"]), ("", []),
    ("--title ''", ["--title", ""]), ("--title a#b", ["--title", "a#b"]),
    ("--title it\"'\"s", ["--title", "it's"]),
  ])
  func `words are split as by a shell`(_ text: String, _ words: [String]) throws {
    #expect(try ScriptOptions.words(of: text).map(\.text) == words)
  }

  @Test func `an open quote is an error`() {
    #expect(throws: WireError.self) { try ScriptOptions.words(of: "--title 'a") }
  }
}

import JobCore
import JobWire
import Testing

@Suite struct ManifestTests {
  private static let bundle = """
    // the samples
    {"identifier": "io.jobrun.samples", "name": "Samples", "capabilities": ["gpu", "network"],}
    """

  private func parsedBundle() throws -> BundleManifest {
    try BundleManifest.parse(Array(ManifestTests.bundle.utf8), file: "b.json")
  }

  private func parsed(_ text: String) throws -> JobManifest {
    try JobManifest.parse(Array(text.utf8), file: "jobs/x/job.json", bundle: try parsedBundle())
  }

  @Test func `a bundle is read`() throws {
    let bundle = try parsedBundle()
    #expect(bundle.identifier.text == "io.jobrun.samples")
    #expect(bundle.name == "Samples")
    #expect(bundle.capabilities == [.gpu, .network])
    let least = try BundleManifest.parse(Array(#"{"identifier":"io.a"}"#.utf8), file: "b")
    #expect(least.name == "a")
    #expect(least.capabilities == [.network])
    let modest = Array(#"{"identifier":"io.a","capabilities":[]}"#.utf8)
    #expect(try BundleManifest.parse(modest, file: "b").capabilities.isEmpty)
  }

  @Test func `a definition with only what it must have gets the documented defaults`() throws {
    let manifest = try parsed(#"{"identifier":"io.jobrun.samples.x.*","command":["x"]}"#)
    #expect(manifest.pattern.text == "io.jobrun.samples.x.*")
    #expect(manifest.command == ["x"])
    #expect(manifest.title == nil)
    #expect(manifest.subtitle == "")
    #expect(manifest.options.requirements.isEmpty)
    #expect(manifest.options.stallAfter == .seconds(30))
    #expect(manifest.options.silentAfter == .seconds(120))
    #expect(manifest.options.grace == .seconds(10))
    #expect(manifest.options.limit == nil)
    #expect(!manifest.options.resumable)
    #expect(manifest.options.retries == 0)
    #expect(manifest.options.kind == .continued)
  }

  @Test(arguments: [Submission.Kind.processing, .refresh])
  func `what the runner starts need not report unless it says so`(kind: Submission.Kind) throws {
    let head = #"{"identifier":"io.jobrun.samples.x","command":["x"],"kind":"\#(kind)""#
    #expect(try parsed(head + "}").options.silentAfter == nil)
    #expect(try parsed(head + #","silentAfter":"1m"}"#).options.silentAfter == .minutes(1))
  }

  @Test func `every key of a definition is read`() throws {
    let manifest = try parsed(
      """
      { "identifier": "io.jobrun.samples.x", "title": "X", "subtitle": "y",
        "command": ["./x.sh", "--all", ""], "requires": ["gpu=2", "memory=4G,network"],
        "stallAfter": "1m", "silentAfter": "never", "grace": "0s", "limit": "2h",
        "resumable": true, "retries": 3, "kind": "processing",
        "send": ["./data/", "a b"], "fetch": ["."] }
      """)
    #expect(!manifest.pattern.isWildcard)
    #expect(manifest.title == "X")
    #expect(manifest.subtitle == "y")
    #expect(manifest.command == ["./x.sh", "--all", ""])
    #expect(manifest.options.requirements.gpuCount == 2)
    #expect(manifest.options.requirements.memoryBytes == 4 << 30)
    #expect(manifest.options.requirements.network)
    #expect(manifest.options.stallAfter == .minutes(1))
    #expect(manifest.options.silentAfter == nil)
    #expect(manifest.options.grace == .zero)
    #expect(manifest.options.limit == .minutes(120))
    #expect(manifest.options.resumable)
    #expect(manifest.options.retries == 3)
    #expect(manifest.options.kind == .processing)
    #expect(manifest.send == ["data", "a b"])
    #expect(manifest.fetch == ["."])
  }

  @Test(arguments: [
    (#""stallAftr": "3s""#, #":2: the key "stallAftr" is not known; did you mean stallAfter?"#),
    (#""title": 5"#, #":2: "title" is 5; it must be a string"#),
    (#""title": "a\nb""#, #":2: "title" cannot be used: the title contains the control"#),
    (#""retries": -1"#, #":2: "retries" is -1; it must be a whole number from 0 to 1000"#),
    (#""retries": "2""#, #":2: "retries" is "2"; it must be a whole number"#),
    (#""resumable": "yes""#, #":2: "resumable" is "yes"; it must be true or false"#),
    (#""grace": 10"#, #":2: "grace" is 10; it must be a duration in quotation marks"#),
    (
      #""grace": "10""#, #":2: "grace" cannot be read: "10" is not a duration: its unit is missing"#
    ),
    (#""stallAfter": "0s""#, #":2: "stallAfter" must not be zero"#),
    (#""silentAfter": "soon""#, #":2: "silentAfter" cannot be read: "soon" is not a duration"#),
    (#""silentAfter": true"#, #":2: "silentAfter" is true; it must be a duration"#),
    (#""kind": "proccessing""#, #":2: "kind" cannot be "proccessing"; did you mean processing?"#),
    (#""requires": "gpu""#, #":2: "requires" is "gpu"; it must be a list of strings"#),
    (#""requires": ["gpuu"]"#, #":2: "requires" cannot be read: "gpuu" is not a requirement; did"#),
    (#""send": "data""#, #":2: "send" is "data"; it must be a list of strings"#),
    (#""send": ["../x"]"#, #":2: "send" has "../x"; a path below the job's folder is needed"#),
    (#""fetch": ["/etc"]"#, #":2: "fetch" has "/etc"; a path below the job's folder is needed"#),
    (#""fetch": [""]"#, #":2: "fetch" has ""; a path below the job's folder is needed"#),
    (#""requires": [3]"#, #":2: "requires" holds a number; a list of strings is expected"#),
    (#""command": ["y"]"#, ":2: is not valid: has the key \"command\" twice"),
    (#""title" "x""#, ":2: is not valid: has '\"' where ':' after the key \"title\" was expected"),
  ])
  func `one mistake in a definition is one sentence with file, line and key`(
    member: String, expected: String
  ) {
    expect(
      "{\"identifier\":\"io.jobrun.samples.x.*\", \"command\": [\"x\"],\n\(member)}", says: expected
    )
  }

  @Test(arguments: [
    ("", ":1: is not valid: has its end where a value was expected"),
    ("[]", ": holds a list; one object { … } is expected"),
    (#"{"command":["x"]}"#, #": "identifier" is missing; write something like "identifier": "io."#),
    (#"{"identifier":"io.jobrun.samples.x"}"#, #": "command" is missing or empty"#),
    (#"{"identifier":"io.jobrun.samples.x","command":[]}"#, #":1: "command" is missing or empty"#),
    (#"{"identifier":"io.jobrun.samples.x","command":[""]}"#, "begins with an empty program name"),
    (#"{"identifier":"io.jobrun.samples.x","command":["a\u0000"]}"#, "contains a NUL"),
    (#"{"identifier":"io.other.x.*","command":["x"]}"#, "not under the bundle's identifier io.job"),
    (#"{"identifier":"io.jobrun.samplesX.x","command":["x"]}"#, "is not under the bundle's"),
    (#"{"identifier":"io.jobrun.samples.*","command":["x"]}"#, "io.jobrun.samples.name.*"),
    (#"{"identifier":"io..x","command":["x"]}"#, #""identifier" is malformed: the identifier "#),
  ])
  func `what a definition must have is named`(text: String, expected: String) {
    expect(text, says: expected)
  }

  @Test(arguments: [
    (#"{"name":"x"}"#, #"b.json: "identifier" is missing"#),
    (#"{"identifier":"io.a.*"}"#, "is a pattern"),
    (#"{"identifier":"io.a","capabilities":["gpu","gpu"]}"#, #"names "gpu" twice"#),
    (#"{"identifier":"io.a","capabilities":["gpuu"]}"#, #"cannot be "gpuu"; did you mean gpu?"#),
    (#"{"identifier":"io.a","jobs":[]}"#, #"the key "jobs" is not known"#),
  ])
  func `a mistake in a bundle is named`(text: String, expected: String) {
    do throws(ManifestError) {
      let bundle = try BundleManifest.parse(Array(text.utf8), file: "b.json")
      Issue.record("\(bundle) was read")
    } catch {
      #expect(error.message.contains(expected), "\(error.message)")
    }
  }

  private func expect(_ text: String, says expected: String) {
    do {
      let manifest = try parsed(text)
      Issue.record("\(manifest) was read")
    } catch let error as ManifestError {
      #expect(error.message.hasPrefix("jobs/x/job.json:"))
      #expect(error.message.contains(expected), "\(error.message)")
    } catch {
      Issue.record("\(error)")
    }
  }
}

import JobCore
import JobWire
import Testing

@Suite struct DefinitionSetTests {
  private static func bundle(
    _ identifier: String, _ patterns: [(name: String, pattern: String)],
    capabilities: Set<Capability> = []
  ) throws -> Bundle {
    let manifest = BundleManifest(
      identifier: try #require(JobIdentifier(identifier)), name: "x", capabilities: capabilities)
    return Bundle(
      folder: "/jobs", manifest: manifest,
      definitions: try patterns.map {
        Definition(
          name: $0.name, folder: "/jobs/\($0.name)", bundle: manifest,
          manifest: JobManifest(
            pattern: try #require(IdentifierPattern($0.pattern)), command: ["x"]))
      })
  }

  private let set: DefinitionSet

  init() throws {
    let samples = try DefinitionSetTests.bundle(
      "io.jobrun.samples",
      [
        ("export", "io.jobrun.samples.export.*"), ("checksum", "io.jobrun.samples.sum.*"),
        ("daily", "io.jobrun.samples.export.daily"), ("deep", "io.jobrun.samples.export.deep.*"),
      ])
    let other = try DefinitionSetTests.bundle(
      "io.other", [("export", "io.other.export.*"), ("empty", "io.other.empty.*")])
    set = DefinitionSet(bundles: [samples, other])
  }

  @Test(arguments: [
    ("export", "io.jobrun.samples.export.k3f9", "io.jobrun.samples.export.*"),
    ("sum", "io.jobrun.samples.sum.k3f9", "io.jobrun.samples.sum.*"),
    ("checksum", "io.jobrun.samples.sum.k3f9", "io.jobrun.samples.sum.*"),
    ("daily", "io.jobrun.samples.export.daily", "io.jobrun.samples.export.daily"),
    (
      "io.jobrun.samples.export.trip", "io.jobrun.samples.export.trip", "io.jobrun.samples.export.*"
    ),
    (
      "io.jobrun.samples.export.daily", "io.jobrun.samples.export.daily",
      "io.jobrun.samples.export.daily"
    ),
    (
      "io.jobrun.samples.export.deep.a", "io.jobrun.samples.export.deep.a",
      "io.jobrun.samples.export.deep.*"
    ),
    ("io.other.export.x", "io.other.export.x", "io.other.export.*"),
  ])
  func `a word finds its definition and identifier`(
    word: String, identifier: String, pattern: String
  ) throws {
    let found = try set.resolve(word, suffix: "k3f9")
    #expect(found.identifier.text == identifier)
    #expect(found.definition.manifest.pattern.text == pattern)
  }

  @Test(
    arguments: [
      ("exprot", ErrorCode.notFound, 66, "did you mean export"),
      ("qqqqqqq", .notFound, 66, "use export, checksum, daily, deep or empty"),
      ("io.jobrun.samples.nothing.x", .notFound, 66, "no job is registered for it; it registers"),
      ("io.jobrun.samples.export", .notFound, 66, "lacks its last part"),
      ("io.jobrun.samples", .notFound, 66, "no job is registered"),
      (
        "io.jobrun.samplesX.export.a", .notPermitted, 77,
        "must begin with io.jobrun.samples or io.other"
      ),
      ("IO.jobrun.samples.export.a", .notPermitted, 77, "outside every bundle"),
      ("io.jobrun.samples.export.*", .usage, 64, "is a pattern"),
      ("io.jobrun..export", .usage, 64, "two dots"), ("a.b ", .usage, 64, "only letters"),
      ("", .usage, 64, "empty"), ("*", .usage, 64, "pattern"),
    ] as [(String, ErrorCode, Int32, String)])
  func `a word that means nothing gets its exit code and a sentence`(
    word: String, code: ErrorCode, exit: Int32, part: String
  ) {
    do throws(WireError) {
      let found = try set.resolve(word, suffix: "k3f9")
      Issue.record("\(word) was resolved to \(found.identifier)")
    } catch {
      #expect(error.code == code)
      #expect(error.code.exitCode == exit)
      #expect(error.message.contains(part), "\(error.message)")
    }
  }

  @Test func `without a bundle the sentence says how to name one`() {
    do throws(WireError) {
      _ = try DefinitionSet(bundles: []).resolve("export", suffix: "a")
      Issue.record("resolved")
    } catch {
      #expect(error.message.contains("--jobs DIR"))
    }
  }

  @Test func `what the bundle did not declare is not permitted`() throws {
    var requirements = Requirements()
    requirements.memoryBytes = 1
    requirements.processors = 2
    requirements.diskBytes = 3
    requirements.power = true
    let plain = try #require(set.definition(named: "export"))
    try plain.checkCapabilities(for: requirements)
    requirements.gpuCount = 1
    do throws(WireError) {
      try plain.checkCapabilities(for: requirements)
      Issue.record("a GPU was permitted")
    } catch {
      #expect(error.code.exitCode == 77)
      #expect(error.message.contains(#"add "capabilities": ["gpu"]"#), "\(error.message)")
    }
    let declared = try DefinitionSetTests.bundle("io.a", [("x", "io.a.x")], capabilities: [.gpu])
    try declared.definitions[0].checkCapabilities(for: requirements)
    requirements.network = true
    #expect(throws: WireError.self) {
      try declared.definitions[0].checkCapabilities(for: requirements)
    }
  }

  @Test func `a submission of a definition has the definition's settings`() throws {
    let bundle = try DefinitionSetTests.bundle("io.a", [("x", "io.a.x.*")])
    let text = """
      {"identifier":"io.a.x.*","command":["x"],"title":"T","subtitle":"S","requires":["cpu=2"],
       "stallAfter":"1s","silentAfter":"2s","grace":"3s","limit":"4s","resumable":true,"retries":5}
      """
    var definition = bundle.definitions[0]
    definition.manifest = try JobManifest.parse(
      Array(text.utf8), file: "x", bundle: bundle.manifest)
    let identifier = try #require(JobIdentifier("io.a.x.y"))
    let request = definition.submitRequest(key: "0123456789abcdef", identifier: identifier)
    let submission = try request.submission()
    #expect(request.definition == "x")
    #expect(request.title == "T")
    #expect(request.subtitle == "S")
    #expect(submission.identifier == identifier)
    #expect(submission.options.speaksPage)
    #expect(submission.options.requirements.processors == 2)
    #expect(submission.options.stallAfter == .seconds(1))
    #expect(submission.options.silentAfter == .seconds(2))
    #expect(submission.options.grace == .seconds(3))
    #expect(submission.options.limit == .seconds(4))
    #expect(submission.options.resumable)
    #expect(submission.options.retries == 5)
  }
}

import JobCore
import JobWire
import Testing

/// The settings of engines of kind `batch`.
struct BatchSettingsTests {
  private func read(_ engine: String) throws -> EngineSettings {
    let text = "{\"engines\": {\"own\": {\"kind\": \"batch\", \"folder\": \"/f\"\n\(engine)}}}"
    let file = try RunnerConfiguration.parse(Array(text.utf8), file: "config.json")
    return try #require(file.engines["own"])
  }

  private static let own =
    #", "submit": "qsub {options} {script}", "list": "qstat", "row": "(?<id>.) (?<state>.)", "#
    + #""waiting": "qw", "running": "r", "cancel": "qdel {id}""#

  @Test(arguments: BatchSystem.presets.map { $0.name })
  func `a preset is what a person could write`(_ name: String) throws {
    let engine = try read(", \"preset\": \"\(name)\"")
    let preset = try #require(BatchSystem.presets.first { $0.name == name }?.system)
    #expect(engine.batch == preset)
    let written = BatchSystem.Key.allCases.filter { !preset[$0].isEmpty }.map { key in
      let text = preset[key].replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return ", \"\(key.rawValue)\": \"\(text)\""
    }
    #expect(try read(written.joined()).batch == preset)
  }

  @Test func `a setting beside a preset replaces its own`() throws {
    let engine = try read(#", "preset": "gridengine", "cpu": "-pe threads {n}", "atMost": 7"#)
    #expect(engine.batch?[.cpu] == "-pe threads {n}")
    #expect(engine.batch?[.cancel] == "qdel {id}")
    #expect(engine.atMost == 7)
    #expect(try read(Self.own).batch?[.id] == "([0-9]+)")
  }

  @Test(arguments: [
    (
      #", "preset": "gridengin""#,
      #""engines.own.preset" is "gridengin", which is not known; did you mean gridengine?"#
    ),
    (
      own + #", "show": "qstat -j {id}""#,
      #""engines.own.show" is alone; "show" and "gone" belong together"#
    ),
    (#", "preset": "torque""#, "use gridengine, pbs, lsf, flux or oar"),
    ("", #""engines.own.submit" is missing; write something like "submit": "qsub"#),
    (
      #", "preset": "pbs", "submit": "qsub {options}""#,
      #""engines.own.submit" is "qsub {options}", which has no {script}; write it like"#
    ),
    (
      #", "preset": "pbs", "submit": "qsub {options} {skript}""#,
      "has {skript}, which is not a place; did you mean script?"
    ),
    (#", "preset": "pbs", "cancel": "qdel""#, "which has no {id}; write it like \"qdel {id}\""),
    (#", "preset": "pbs", "cpu": "-n 4""#, "which has no {n}"),
    (
      #", "preset": "pbs", "limit": "-t {hours}""#, "has {hours}, which is not a place; use seconds"
    ),
    (
      #", "preset": "pbs", "row": "(?<id>[0-9]+""#,
      #""engines.own.row" is "(?<id>[0-9]+", which is no regular expression: Unmatched ("#
    ),
    (#", "preset": "pbs", "row": "([0-9]+) (.)""#, "which has no group called id; write it like"),
    (#", "preset": "pbs", "row": "(?<id>.)""#, "which has no group called state"),
    (#", "preset": "pbs", "running": "*""#, "which is no regular expression"),
    (#", "preset": "pbs", "id": "[0-9]+""#, "which has no group"),
    (
      #", "preset": "lsf", "submit": "bsub {script}""#,
      #""engines.own.submit" has no {options}, where "queue" goes"#
    ),
    (Self.own + #", "partition": "long""#, "needs a template for \"queue\""),
    (Self.own + #", "account": "x""#, #"only to "kind": "slurm""#),
    (Self.own + #", "slots": 3"#, #"only to "kind": "host""#),
  ])
  func `settings that cannot work are told with file and line`(
    _ engine: String, _ sentence: String
  ) throws {
    do {
      _ = try read(engine)
      Issue.record("\(engine) was taken")
    } catch let error as ManifestError {
      #expect(error.message.contains(sentence), "\(error.message)")
      #expect(error.file == "config.json" && (error.line == 2 || engine.isEmpty))
    }
  }

  @Test func `what has no template cannot be asked for`() throws {
    var request = SubmitRequest(key: "k", identifier: "a.b", title: "t", speaksPage: false)
    request.options.requirements.memoryBytes = 1
    let problem = request.problem(on: try read(Self.own))
    #expect(problem?.code == .unavailable)
    #expect(problem?.message.hasPrefix("\"own\" cannot be asked for memory; give \"own\"") == true)
    #expect(request.problem(on: try read(#", "preset": "pbs""#)) == nil)
    #expect(request.problem(on: try read(#", "preset": "flux""#)) != nil)
  }

  @Test func `a place is a word of letters in braces, and other braces are the shell's`() {
    let template = BatchTemplate("a {id} ${id} {print $1} {} {a_b} {x")
    #expect(template.places == ["id"])
    #expect(template.filled { $0 == "id" ? "7" : nil } == "a 7 ${id} {print $1} {} {a_b} {x")
  }
}

import JobCore
import JobWire
import Testing

/// One setting is changed, and the rest of the text is unchanged.
@Suite struct SettingsTextTests {
  private func changed(_ text: String) throws -> String? {
    guard let bytes = SettingsText(Array(text.utf8)).setting("slots", to: "4") else { return nil }
    let read = try RunnerConfiguration.parse(bytes, file: "config.json")
    #expect(read.slots == 4)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("", "{\n  \"slots\": 4\n}\n"),
    ("{}", "{\n  \"slots\": 4\n}"),
    ("{ \"slots\": 2 }", "{ \"slots\": 4 }"),
    ("{\"slots\":12}\n", "{\"slots\":4}\n"),
    ("{\"idleMinutes\": 5}", "{\n  \"slots\": 4,\"idleMinutes\": 5}"),
    (
      "// mine\n{\n  /* \"slots\": 9 */ \"slots\": 3, // two \"slots\": 8\n  \"idleMinutes\": 1\n}\n",
      "// mine\n{\n  /* \"slots\": 9 */ \"slots\": 4, // two \"slots\": 8\n  \"idleMinutes\": 1\n}\n"
    ),
    (
      "{\"onEnd\": {\"command\": \"echo \\\"slots\\\": 1, }\", /* ] */ \"limit\": \"1m\"}, \"slots\": 3 /*x*/}",
      "{\"onEnd\": {\"command\": \"echo \\\"slots\\\": 1, }\", /* ] */ \"limit\": \"1m\"}, \"slots\": 4 /*x*/}"
    ),
    (
      "{\"bundles\": [\"/a,b\", \"/c]\"],\n \"slots\": null}",
      "{\"bundles\": [\"/a,b\", \"/c]\"],\n \"slots\": 4}"
    ),
  ])
  func `the number changes, and nothing else`(before: String, after: String) throws {
    #expect(try changed(before) == after)
  }

  @Test(arguments: ["[1]", "4", "{\"slots\" 3}", "{", "{\"a"])
  func `what is no object stays alone`(text: String) throws {
    #expect(SettingsText(Array(text.utf8)).setting("slots", to: "4") == nil)
  }

  @Test(arguments: [
    ("", "{\n  \"settings\": {\n    \"org.b\": {\"slots\": 1}\n  }\n}\n"),
    ("{\"slots\": 3}", "{\n  \"settings\": {\n    \"org.b\": {\"slots\": 1}\n  },\"slots\": 3}"),
    (
      "{\"settings\": { /* mine */ \"org.a\": {} } }",
      "{\"settings\": {\n    \"org.b\": {\"slots\": 1}, /* mine */ \"org.a\": {} } }"
    ),
    (
      "{\"settings\": {\"org.b\": {\"gpu\": false} /* b */}, \"slots\": 3}",
      "{\"settings\": {\"org.b\": {\"slots\": 1} /* b */}, \"slots\": 3}"
    ),
  ])
  func `what is in an object in the object is set there`(before: String, after: String) throws {
    let text = SettingsText(Array(before.utf8))
    let bytes = try #require(text.setting(["settings", "org.b"], to: "{\"slots\": 1}"))
    #expect(String(decoding: bytes, as: UTF8.self) == after)
    let read = try RunnerConfiguration.parse(bytes, file: "config.json")
    #expect(JobIdentifier("org.b").flatMap { read.bundleSettings[$0]?.slots } == 1)
  }

  @Test(arguments: [
    ("{\"settings\": {\"org.b\": {}}}", "{}"),
    ("{\"settings\": {\"org.b\": {}}, \"slots\": 1}", "{ \"slots\": 1}"),
    ("{\"settings\": {\"org.b\": {} /* why */}}", "{\"settings\": { /* why */}}"),
    (
      "{\"settings\": {\n  // kept small\n  \"org.b\": {}, \"org.a\": {\"gpu\": false}\n}}",
      "{\"settings\": {\n  // kept small\n \"org.a\": {\"gpu\": false}\n}}"
    ),
    (
      "{\"settings\": {\n  // kept small\n  \"org.b\": {}}, \"slots\": 1}",
      "{\"settings\": {\n  // kept small\n}, \"slots\": 1}"
    ),
    (
      "{\"settings\": {\n  // a\n  \"org.a\": {},\n  // b\n  \"org.b\": {}\n}}",
      "{\"settings\": {\n  // a\n  \"org.a\": {}\n  // b\n}}"
    ),
    (
      "{\"settings\": {\"org.b\": {}, \"org.a\": {}}, \"slots\": 1}",
      "{\"settings\": { \"org.a\": {}}, \"slots\": 1}"
    ),
  ])
  func `a key that goes takes its comma along`(before: String, after: String) throws {
    let bytes = try #require(SettingsText(Array(before.utf8)).removing(["settings", "org.b"]))
    #expect(String(decoding: bytes, as: UTF8.self) == after)
    _ = try RunnerConfiguration.parse(bytes, file: "config.json")
  }

  @Test(arguments: ["", "{}", "{\"settings\": {}}", "{\"settings\": 4}"])
  func `a key that is not there is not removed`(text: String) {
    #expect(SettingsText(Array(text.utf8)).removing(["settings", "org.b"]) == nil)
  }
}

import JobWire
import Testing

/// One setting is changed, and everything else stays as its owner wrote it.
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
}

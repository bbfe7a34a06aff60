import JobCore
import JobWire
import Testing

@Suite struct RunnerConfigurationTests {
  private func parsed(_ text: String) throws(ManifestError) -> RunnerConfiguration {
    try RunnerConfiguration.parse(Array(text.utf8), file: "config.json")
  }

  @Test func `an empty object means all is usual`() throws {
    #expect(try parsed("{ /* nothing yet */ }") == RunnerConfiguration())
  }

  @Test func `every key is read`() throws {
    let configuration = try parsed(
      """
      {"slots": 3, "stateDir": "/local/jobs", "idleMinutes": 0,
       "historyLimit": {"count": 7, "days": 8}, "bundles": ["/a", "/b"],
       "notify": {"desktop": false, "bell": true, "after": "1m30s"},
       "onEnd": {"command": "say done", "after": "0s", "limit": "5s"},
       "keepAwake": false, "lowBattery": 35,
       "groups": {"render": 3}, "budget": {"starts": 0, "processorTime": "30m"},
       "settings": {"org.b": {"background": false, "slots": 2, "priority": "low", "budget": false},
         "org.a": {"gpu": true, "network": false},
         "org.c": {}}}
      """)
    #expect(configuration.slots == 3)
    #expect(configuration.stateDirectory == "/local/jobs")
    #expect(configuration.idleMinutes == 0)
    #expect(configuration.historyCount == 7)
    #expect(configuration.historyDays == 8)
    #expect(configuration.bundles == ["/a", "/b"])
    #expect(!configuration.notices.desktop)
    #expect(configuration.notices.bell)
    #expect(configuration.notices.rules.after == .seconds(90))
    #expect(configuration.onEnd.command == "say done")
    #expect(configuration.onEnd.rules.after == .zero)
    #expect(configuration.onEnd.limit == .seconds(5))
    #expect(!configuration.keepAwake && configuration.lowBattery == 35)
    let settings = configuration.bundleSettings
    #expect(settings.keys.map(\.text).sorted() == ["org.a", "org.b"])
    let first = JobIdentifier("org.a").flatMap { settings[$0] }
    let second = JobIdentifier("org.b").flatMap { settings[$0] }
    #expect(first?.gpu == true && first?.network == false && first?.background == nil)
    #expect(second?.background == false && second?.slots == 2)
    #expect(second?.priority == .low && second?.budget == false)
    #expect(configuration.groups == [try #require(GroupName("render")): 3])
    #expect(configuration.budget.starts == nil)
    #expect(configuration.budget.processorTime == .minutes(30))
  }

  @Test(arguments: [
    (#"{"slots": 0}"#, #"config.json:1: "slots" is 0; it must be a whole number from 1 to 4096"#),
    (#"{"slots": 2.5}"#, #""slots" is 2.5; it must be a whole number"#),
    (#"{"slot": 2}"#, #"the key "slot" is not known; did you mean slots?"#),
    (#"{"stateDir": "~/x"}"#, #""stateDir" names "~/x"; an absolute path is needed"#),
    (#"{"bundles": ["jobs"]}"#, #""bundles" names "jobs"; an absolute path"#),
    (#"{"historyLimit": 5}"#, #""historyLimit" is 5; it must be an object"#),
    (#"{"historyLimit": {"days": -1}}"#, #""historyLimit.days" is -1; it must be"#),
    (#"{"historyLimit": {"day": 1}}"#, #"the key "day" is not known; did you mean days?"#),
    (#"{"onEnd": "say done"}"#, #""onEnd" is "say done"; it must be an object"#),
    (#"{"onEnd": {"command": " "}}"#, #""onEnd.command" is empty; write a command for sh"#),
    (#"{"onEnd": {"limit": "0s"}}"#, #""onEnd.limit" is zero; 1ms is the shortest"#),
    (#"{"lowBattery": 101}"#, #""lowBattery" is 101; it must be a whole number from 0 to 100"#),
    (#"{"settings": true}"#, #""settings" is true; it must be an object"#),
    (
      #"{"settings": {"org.b": {"slots": 0}}}"#,
      #""settings.org.b.slots" is 0; it must be a whole number from 1 to 4096"#
    ),
    (
      #"{"settings": {"org.b": {"backgrund": true}}}"#,
      #"the key "backgrund" is not known; did you mean background?"#
    ),
    (#"{"settings": {"org..b": {}}}"#, #""settings" names no bundle: the identifier "org..b" has"#),
    (#"{"notify": false}"#, #""notify" is false; it must be an object"#),
    (#"{"notify": {"bel": true}}"#, #"the key "bel" is not known; did you mean bell?"#),
    (
      #"{"notify": {"after": "soon"}}"#, #""notify.after" cannot be read: "soon" is not a duration"#
    ),
    (#"{"notify": {"after": 10}}"#, #""notify.after" is 10; it must be a duration in quotation"#),
  ])
  func `a mistake is one sentence`(text: String, part: String) {
    do throws(ManifestError) {
      let configuration = try parsed(text)
      Issue.record("\(configuration) was read")
    } catch {
      #expect(error.message.contains(part), "\(error.message)")
    }
  }

  @Test func `a huge file is refused before it is read`() {
    let huge = [UInt8](repeating: 0x20, count: Limits.manifestBytes + 1)
    #expect(throws: ManifestError.self) {
      try RunnerConfiguration.parse(huge, file: "config.json")
    }
  }
}

import JobCore
import JobWire
import Testing

@Suite struct PathsTests {
  @Test func `a home of its own holds everything`() throws {
    let paths = try Paths(
      environment: ["JOBRUN_HOME": "/tmp/x//", "XDG_STATE_HOME": "/elsewhere"], user: 1000)
    #expect(paths.stateDirectory == "/tmp/x/state")
    #expect(paths.runtimeCandidates == ["/tmp/x/run"])
    #expect(paths.configurationFile == "/tmp/x/config.json")
    #expect(paths.database == "/tmp/x/state/jobrun.db")
    #expect(paths.runRecord(JobNumber(12), attempt: 2) == "/tmp/x/state/runs/12.2")
    #expect(paths.log(JobNumber(12)) == "/tmp/x/state/logs/12.log")
    #expect(paths.jobState(JobNumber(12)) == "/tmp/x/state/state/12")
    #expect(Paths.page(JobNumber(12), attempt: 2, in: "/r") == "/r/pages/12.2")
    #expect(Paths.socket(in: "/r") == "/r/socket")
  }

  @Test func `the XDG folders are used when they are set`() throws {
    let paths = try Paths(
      environment: [
        "HOME": "/home/a", "XDG_STATE_HOME": "/s/", "XDG_CONFIG_HOME": "/c",
        "XDG_RUNTIME_DIR": "/run/user/1000", "TMPDIR": "/var/tmp",
      ], user: 1000)
    #expect(paths.stateDirectory == "/s/jobrun")
    #expect(paths.configurationFile == "/c/jobrun/config.json")
    #expect(
      paths.runtimeCandidates == [
        "/run/user/1000/jobrun", "/dev/shm/jobrun-1000", "/var/tmp/jobrun-1000",
      ])
  }

  @Test func `a store beside others has a folder of its own name in the runtime folder`() throws {
    var home = try Paths(environment: ["JOBRUN_HOME": "/tmp/x"], user: 1000)
    #expect(!home.sharesRuntime)
    home.stateDirectory = "/elsewhere"
    #expect(home.sharesRuntime)
    #expect(try Paths(environment: ["HOME": "/home/a"], user: 1000).sharesRuntime)
    // FNV-1a's own test values.
    #expect(Paths.storeName("") == "811c9dc5")
    #expect(Paths.storeName("foobar") == "bf9cf968")
    #expect(Paths.storeName("/a") != Paths.storeName("/b"))
  }

  @Test func `relative and empty values are ignored, as the XDG specification says`() throws {
    let paths = try Paths(
      environment: [
        "HOME": "/home/a", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "",
        "XDG_RUNTIME_DIR": "./run", "TMPDIR": "tmp", "JOBRUN_HOME": "",
      ], user: 5)
    #expect(paths.stateDirectory == "/home/a/.local/state/jobrun")
    #expect(paths.configurationFile == "/home/a/.config/jobrun/config.json")
    #expect(paths.runtimeCandidates == ["/dev/shm/jobrun-5", "/tmp/jobrun-5"])
  }

  @Test(arguments: [
    ([:], "HOME is not set"), (["HOME": ""], "HOME is not set"), (["HOME": "home"], "HOME is not"),
    (["JOBRUN_HOME": "x", "HOME": "/h"], "must be an absolute path"),
  ])
  func `without a home there is a sentence`(environment: [String: String], part: String) {
    do throws(WireError) {
      let paths = try Paths(environment: Environment(environment), user: 0)
      Issue.record("\(paths) came out of \(environment)")
    } catch {
      #expect(error.code == .cannotCreate)
      #expect(error.message.contains(part), "\(error.message)")
    }
  }

  @Test func `HOME is not needed when both folders are named`() throws {
    let paths = try Paths(
      environment: ["XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"], user: 0)
    #expect(paths.stateDirectory == "/s/jobrun")
  }
}

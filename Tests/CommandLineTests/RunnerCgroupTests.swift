import Testing

@testable import jobrun

/// The description of the runner's systemd unit.
struct RunnerCgroupTests {
  @Test func `a login session may end, a unit of a manager that stays does not`() {
    let session = "9:name=systemd:/user.slice/user-1000.slice/session-c3.scope\n0::/\n"
    #expect(RunnerCgroup(groups: session, lasts: true) == .session("c3"))
    let unit =
      "0::/user.slice/user-1000.slice/user@1000.service/app.slice/jobrun-37483c57.service/runner\n"
    #expect(
      RunnerCgroup(groups: unit, lasts: true) == .unit("jobrun-37483c57.service", lasts: true))
    #expect(RunnerCgroup.unit("a", lasts: false).sentence.contains("enable-linger"))
  }

  @Test func `a terminal of the desktop may end with it, and only our own units come back`() {
    let manager = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
    let terminal = "app-org.gnome.Terminal.slice/vte-spawn-4f1.scope"
    #expect(RunnerCgroup(groups: manager + terminal, lasts: true) == .scope("vte-spawn-4f1.scope"))
    #expect(RunnerCgroup.scope("vte-spawn-4f1.scope").sentence.contains("may end when you log out"))
    #expect(
      RunnerCgroup.unit("jobrun.service", lasts: true).sentence.contains(
        "is restarted if it is killed"))
    #expect(
      !RunnerCgroup.unit("tmux.service", lasts: true).sentence.contains(
        "is restarted if it is killed")
    )
  }

  @Test(arguments: ["", "0::/\n", "0::/system.slice/cron.service\n", "rubbish\n::\n"])
  func `where systemd has no say, nothing is said`(groups: String) {
    #expect(RunnerCgroup(groups: groups, lasts: true) == nil)
  }
}

import Foundation
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The user has no inotify instance left (128, as a rule): a library refuses them.
@Suite struct NoWatchTests {
  @Test func `a runner serves without watching files, says so once, and still sees changes`() throws
  {
    let workshop = try Workshop()
    try workshop.define("quick", "exit 0")
    let library = workshop.sandbox.path("unwatching.so")
    try StubLibrary.build(
      text: """
        #include <errno.h>
        int inotify_init1(int flags) {
          errno = EMFILE;
          return -1;
        }
        """, at: library)
    let environment = ["LD_PRELOAD": library]
    let submitted = try workshop.jobrun("submit", "quick", environment: environment)
    #expect(submitted.status == 0, "\(submitted)")
    let status = try workshop.jobrun("runner", "status", environment: environment).output
    #expect(status.components(separatedBy: "max_user_instances").count == 2, "\(status)")
    try workshop.sandbox.write("{\"slots\": 7}", to: "../home/config.json")
    try WaitFor.file(
      workshop.sandbox.home + "/state/runner.log", contains: "the settings have changed")
    let socket = workshop.sandbox.home + "/run/socket"
    try File.remove(socket)
    try WaitFor.file(socket)
    #expect(try workshop.jobrun("slots", environment: environment).output.contains("7"))
  }
}

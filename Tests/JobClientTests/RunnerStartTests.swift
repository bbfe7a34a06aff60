import JobClient
import JobWire
import LinuxSystem
import TestKit
import Testing

struct RunnerStartTests {
  @Test func `a runner that is killed while it starts is started again`() throws {
    let sandbox = try Sandbox()
    let tried = sandbox.path("tried")
    let program = try sandbox.write(
      """
      #!/bin/sh
      if mkdir "\(tried)"; then kill -9 $$; fi
      echo "this is the second one" >&2
      exit 73
      """, to: "runner", executable: true)
    let paths = try Paths(
      environment: Environment(sandbox.environment), user: CurrentProcess.userIdentifier)
    var start = RunnerStart(paths: paths, program: program)
    let error = #expect(throws: WireError.self) { _ = try start.connection() }
    #expect(error?.message.contains("this is the second one") ?? false)
  }
}

import TestKit
import Testing

/// A machine, or a container, without a mounted `/proc`.
@Suite struct WithoutProcTests {
  @Test func `a command says what is missing and how it comes back`() throws {
    let workshop = try Workshop()
    let script = "mount -t tmpfs none /proc && exec \"$0\" list"
    let jobrun = try BuiltProducts.path("jobrun")
    let ended = try workshop.sandbox.run(
      "unshare", ["--map-root-user", "--mount", "sh", "-c", script, jobrun],
      environment: workshop.environment)
    // Where no namespace can be made, /proc cannot be taken away.
    guard !ended.errors.contains("unshare:"), !ended.errors.contains("mount:") else { return }
    #expect(ended.status == 69, "\(ended)")
    #expect(
      ended.errors
        == "jobrun: cannot read the link /proc/self/exe: /proc is not mounted, and jobrun needs it;"
        + " as root: mount -t proc proc /proc\n")
  }
}

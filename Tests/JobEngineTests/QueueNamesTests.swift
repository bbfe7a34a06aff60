import JobCore
import JobEngine
import JobWire
import Testing

/// Whose a job in a queue is.
struct QueueNamesTests {
  private let names = QueueNames(store: "00112233445566aa", engine: "gpu")

  @Test func `what this engine has named is its own`() {
    let attempt = EngineAttempt(JobNumber(12), 3)
    #expect(names.name(of: attempt) == "jobrun.00112233445566aa.gpu.12.3")
    #expect(names.subject(of: names.name(of: attempt)) == .attempt(attempt))
    #expect(names.subject(of: names.name(ofBatch: "b00ff")) == .batch("b00ff"))
  }

  @Test(arguments: [
    "jobrun.00112233445566aa.cpu.12.3",  // another engine of this store
    "jobrun.00112233445566aa.gpu2.12.3", "jobrun.00112233445566aa.gp.12.3",
    "jobrun.00112233445566aa.gpu-2.b00ff",
    "jobrun.ffffffffffffffff.gpu.12.3",  // another store
    "jobrun.00112233445566aa.12.3",  // another version
    "jobrun.00112233445566aa.gpu.12.3.4", "jobrun.00112233445566aa.gpu.12",
    "jobrun.00112233445566aa.gpu.+12.3", "jobrun.00112233445566aa.gpu.012.3",
    "jobrun.00112233445566aa.gpu.12.x", "jobrun.00112233445566aa.gpu.b../../x",
    "jobrun.00112233445566aa.gpu.b", "jobrun.00112233445566aa.gpu.build",
    "jobrun.00112233445566aa.gpu.", "jobrun.00112233445566aa.gpu", "jobrun", "",
    "jobrun.00112233445566aa.gpu.99999999999999999999.1",
  ])
  func `what anybody else has named is not`(_ name: String) {
    #expect(names.subject(of: name) == nil)
  }
}

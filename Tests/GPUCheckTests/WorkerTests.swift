import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The real `gpu-check` as the runner starts it, on a stub of the CUDA driver.
@Suite struct WorkerTests {
  private let sandbox: Sandbox
  private let page: String
  private let environment: [String: String]

  init() throws {
    sandbox = try Sandbox()
    page = sandbox.path("page")
    try PageFile.create(page, number: 1, attempt: 1)
    let library = sandbox.path("libcuda.so.1")
    try StubLibrary.build("StubCUDA/stub_cuda.c", at: library)
    environment = [
      "JOBRUN_PAGE": page, "JOBRUN_IDENTIFIER": "io.jobrun.samples.gpu-check.test",
      "JOBRUN_CUDA": library,
    ]
  }

  private func start(
    _ settings: String, library: String? = nil
  ) throws -> TestKit.ChildProcess {
    var environment = environment
    environment["STUB_CUDA"] = settings
    if let library { environment["JOBRUN_CUDA"] = library }
    return try sandbox.start("gpu-check", environment: environment)
  }

  private func snapshot() throws -> PageSnapshot {
    var reader = try PageReader(path: page)
    return reader.snapshot()
  }

  @Test func `sound memory succeeds with all its bytes done and a message`() throws {
    let finished = try start("memory=104857600").wait()
    #expect(finished.status == 0, "\(finished.errors)")
    let snapshot = try snapshot()
    #expect(snapshot.outcome == .success)
    #expect(snapshot.unit == .bytes)
    #expect(snapshot.total == 94_371_840 * 12)
    #expect(snapshot.completed == snapshot.total)
    #expect(snapshot.subtitle == "Stub CUDA device 0")
    #expect(snapshot.message == "90 MiB of Stub CUDA device 0 kept all 6 patterns")
  }

  @Test func `faulty memory fails and the message says where`() throws {
    let finished = try start("memory=104857600,stuck=40000000").wait()
    #expect(finished.status == 1)
    let snapshot = try snapshot()
    #expect(snapshot.outcome == .failure)
    #expect(snapshot.completed < snapshot.total)
    #expect(
      snapshot.message.hasPrefix(
        "GPU memory is faulty: at byte 40000000 0xffffffff was written and 0xffffff00 was read"))
  }

  @Test func `a stop ends it between two chunks, unsuccessfully`() throws {
    // All of its writes would take half a minute.
    let child = try start("memory=104857600,delay=2000000,announce=1")
    try child.wait(for: "stub: written", on: .errors)
    try PageControl(path: page).stop(
      reason: 1, deadline: AwakeClock.now() + 600_000_000_000)
    let finished = try child.wait()
    let snapshot = try snapshot()
    #expect(finished.status == 1)
    #expect(snapshot.outcome == .failure)
    #expect(snapshot.completed < snapshot.total)
  }

  @Test func `without a driver it fails with the reason`() throws {
    let finished = try start("", library: "/nonexistent/libcuda.so.1").wait()
    #expect(finished.status == 1)
    #expect(try snapshot().message.hasPrefix("the CUDA driver library cannot be loaded"))
  }

  @Test func `its definition asks for one GPU`() throws {
    let bundle = try BundleManifest.parse(
      Array(#"{"identifier":"io.jobrun.samples","name":"S","capabilities":["gpu"]}"#.utf8),
      file: "bundle.json")
    let file = "\(BuiltProducts.packageRoot)/jobs/gpu-check/job.json"
    let manifest = try JobManifest.parse(try File.readAll(file), file: file, bundle: bundle)
    #expect(manifest.options.requirements.gpuCount == 1)
    #expect(manifest.command == ["gpu-check"])
  }
}

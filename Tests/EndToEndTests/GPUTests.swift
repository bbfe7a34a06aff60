import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// GPUs from submission to lease, on a stub of NVIDIA's library; `make gpu` checks the same with a real one.
@Suite struct GPUTests {
  private let workshop: Workshop
  private let library: String

  init() throws {
    workshop = try Workshop(slots: 4, capabilities: #"["gpu"]"#)
    library = workshop.sandbox.path("libnvidia-ml.so.1")
    try StubLibrary.build("StubNVML/stub_nvml.c", at: library)
    try workshop.define("show", "echo \"visible: $CUDA_VISIBLE_DEVICES\"", #","requires":["gpu"]"#)
    try workshop.defineGated("hold", #","requires":["gpu"]"#)
  }

  /// The runner starts with the first command and keeps that command's environment.
  private func jobrun(
    _ arguments: String..., gpus settings: String
  ) throws -> TestKit.ChildProcess.Finished {
    try workshop.sandbox.run(
      "jobrun", arguments,
      environment: workshop.environment.merging([
        "JOBRUN_NVML": library, "STUB_NVML": settings,
      ]) { $1 })
  }

  @Test func `a machine without a GPU refuses at once and says why`() throws {
    let finished = try workshop.jobrun(
      "submit", "show", environment: ["JOBRUN_NVML": "/nonexistent/libnvidia-ml.so.1"])
    #expect(finished.status == 69)
    #expect(finished.errors.contains("cannot open shared object file"), "\(finished.errors)")
  }

  @Test func `a job gets the GPU that nobody else uses, by its UUID`() throws {
    let finished = try jobrun("submit", "-f", "show", gpus: "two,foreign=0")
    #expect(finished.status == 0, "\(finished.errors)")
    let log = try jobrun("log", "1", gpus: "two,foreign=0")
    #expect(log.output == "visible: GPU-00000000-0000-0000-0000-000000000001\n")
  }

  @Test func `what its GPU has used of energy is a job's, though it is told after its end`() throws
  {
    let file = workshop.sandbox.path("nvml")
    try workshop.sandbox.write("gpus=1,energy=1000000", to: "nvml")
    #expect(try jobrun("submit", "--detach", "hold", gpus: "@\(file)").status == 0)
    try workshop.awaitReady(1)
    // One probe at a time: this one ends after the one for the job's beginning.
    #expect(try jobrun("resources", gpus: "@\(file)").status == 0)
    try workshop.sandbox.write("gpus=1,energy=1007250", to: "nvml")
    let gate = try workshop.openGate()
    #expect(try jobrun("wait", "1", gpus: "@\(file)").status == 0)
    gate.signal(9)
    try GroupedWorkshop.settle("the energy of the job") {
      try workshop.show(1).use.gpuJoules == 7.25
    }
    #expect(try jobrun("usage", gpus: "@\(file)").output.contains("  energy"))
  }

  @Test func `GPUs that the settings leave out are for others`() throws {
    try workshop.sandbox.write(#"{"gpus": "1"}"#, to: "../home/config.json")
    let chosen = try jobrun("submit", "-f", "show", gpus: "gpus=2")
    #expect(chosen.output.contains("visible: GPU-00000000-0000-0000-0000-000000000001\n"))
    let resources = try jobrun("resources", gpus: "gpus=2").output
    #expect(resources.contains("which leaves out 1 of 2"), "\(resources)")
    let both = try jobrun("submit", "show", "--require", "gpu=2", gpus: "gpus=2")
    #expect(both.status == 69, "\(both.errors)")
    try workshop.sandbox.write(#"{"gpus": "none"}"#, to: "../home/config.json")
    let none = try jobrun("submit", "show", gpus: "gpus=2")
    #expect(none.status == 69 && none.errors.contains("leaves out all of them"), "\(none.errors)")
    try workshop.sandbox.write(#"{"gpus": "GPU-00000000"}"#, to: "../home/config.json")
    let named = try jobrun("submit", "show", "--require", "gpu=2", gpus: "gpus=2")
    #expect(named.status == 0, "\(named.errors)")
    for wrong in ["", "0,", "x", "-1", "GPU-", "0;1"] {
      try workshop.sandbox.write(#"{"gpus": "\#(wrong)"}"#, to: "../home/config.json")
      let refused = try jobrun("resources", gpus: "gpus=2")
      #expect(refused.errors.contains("\"gpus\" is \"\(wrong)\""), "\(refused.errors)")
    }
  }

  @Test func `what starts now or never is decided by what is measured then`() throws {
    let file = workshop.sandbox.path("nvml")
    for (machine, status) in [("gpus=1", Int32(0)), ("gpus=1,foreign=0", 75), ("gpus=1", 0)] {
      try workshop.sandbox.write(machine, to: "nvml")
      let finished = try jobrun("submit", "--strategy", "fail", "show", gpus: "@\(file)")
      #expect(finished.status == status, "\(machine): \(finished.errors)")
    }
  }

  @Test func `a leased GPU is not granted twice and comes back with the end of its job`() throws {
    #expect(try jobrun("submit", "--detach", "hold", gpus: "gpus=1").status == 0)
    try workshop.awaitReady(1)
    let second = try jobrun("submit", "--strategy", "fail", "show", gpus: "gpus=1")
    #expect(second.status == 75, "\(second.errors)")
    let gate = try workshop.openGate()
    #expect(try jobrun("wait", "1", gpus: "gpus=1").status == 0)
    #expect(try jobrun("submit", "--strategy", "fail", "show", gpus: "gpus=1").status == 0)
    gate.signal(9)
  }

  @Test func `a command that is killed while the machine is looked at is forgotten at once`() throws
  {
    #expect(try jobrun("list", gpus: "hang").status == 0)
    var request = SubmitRequest(
      key: String(repeating: "k", count: 32), identifier: "io.jobrun.run.gone", title: "gone",
      speaksPage: false)
    request.options.requirements.gpuCount = 1
    var line: [UInt8] = []
    RequestLine(id: 1, .submit(request)).append(to: &line)
    let order = LaunchSpecification(
      directory: Array("/".utf8), arguments: [Array("/bin/true".utf8)], environment: [])
    let memory = try MemoryFile.make(order.encoded())
    do {
      let gone = try UnixConnection(connectingTo: workshop.sandbox.home + "/run/socket")
      try gone.sendAll(line, passing: memory.number)
    }
    let other = try ProtocolTests.RawClient(workshop)
    var answer = ""
    for id in 1...4 {
      try other.send("{\"v\":1,\"id\":\(id),\"op\":\"status\"}\n")
      answer = try other.line()
    }
    #expect(answer.contains("\"connections\":1,"), "\(answer)")
  }

  @Test func `a driver that does not answer for a while refuses no job that waits`() throws {
    let file = workshop.sandbox.path("nvml")
    try workshop.sandbox.write("gpus=1", to: "nvml")
    #expect(try jobrun("submit", "--detach", "hold", gpus: "@\(file)").status == 0)
    try workshop.awaitReady(1)
    #expect(try jobrun("submit", "--detach", "show", gpus: "@\(file)").status == 0)
    try workshop.sandbox.write("hang", to: "nvml")
    #expect(try jobrun("resources", gpus: "@\(file)").output.contains("did not answer"))
    let waiting = try workshop.show(2)
    #expect(waiting.state == .queued)
    #expect(waiting.pendingReason?.message.contains("the GPUs are not known") == true, "\(waiting)")
    try workshop.sandbox.write("gpus=1", to: "nvml")
    let gate = try workshop.openGate()
    #expect(try jobrun("wait", "2", gpus: "@\(file)").status == 0)
    gate.signal(9)
  }

  @Test func `a driver that hangs refuses with its reason instead of hanging the runner`() throws {
    let finished = try jobrun("submit", "show", gpus: "hang")
    #expect(finished.status == 69)
    #expect(
      finished.errors.contains("the NVIDIA driver did not answer within 5s"), "\(finished.errors)")
  }
}

import JobWire
import TestKit
import Testing

/// The output of `jobrun-helper`, run by hand.
@Suite struct HelperTests {
  @Test func `one line of JSON holds the GPUs and the reason`() throws {
    try withSandbox { sandbox in
      // By the loader's own search, as on a machine with a driver.
      try StubLibrary.build("StubNVML/stub_nvml.c", at: sandbox.path("libnvidia-ml.so.1"))
      let finished = try sandbox.run(
        "jobrun-helper", ["gpu"],
        environment: ["LD_LIBRARY_PATH": sandbox.work, "STUB_NVML": "gpus=1,foreign=0,pid=77"])
      #expect(finished.status == 0)
      #expect(
        finished.output
          == #"{"gpus":[{"index":0,"uuid":"GPU-00000000-0000-0000-0000-000000000000","#
          + #""name":"Stub GPU 0","memoryTotal":8589934592,"memoryFree":8053063680,"#
          + #""utilisation":97,"energy":null,"processes":[77]}],"#
          + #""why":"1 NVIDIA GPU, reported by the driver"}"# + "\n")
    }
  }

  @Test func `no library at all is an answer, not a failure`() throws {
    try withSandbox { sandbox in
      let finished = try sandbox.run(
        "jobrun-helper", ["gpu"], environment: ["JOBRUN_NVML": "/nonexistent/libnvidia-ml.so.1"])
      #expect(finished.status == 0)
      let answer = try #require(GPUAnswer(output: Array(finished.output.utf8)))
      #expect(answer.gpus.isEmpty)
      #expect(answer.why.hasPrefix("no NVIDIA GPU: /nonexistent/libnvidia-ml.so.1: cannot open"))
    }
  }

  @Test(arguments: [[], ["gp"], ["gpu", "now"]])
  func `a bad verb is a usage error`(arguments: [String]) throws {
    try withSandbox { sandbox in
      let finished = try sandbox.run("jobrun-helper", arguments)
      #expect(finished.status == 64)
      #expect(finished.errors == "usage: jobrun-helper gpu|listen|notify|report|serve\n")
    }
  }

  @Test func `an answer is cleaned before it is shown`() throws {
    let device = GPUAnswer.Device(
      uuid: "GPU-1", name: "\u{1b}[31mred\u{202e}", memoryTotal: 1, memoryFree: 9,
      utilisation: 400, processes: [])
    let answer = GPUAnswer(gpus: [device, device], why: String(repeating: "x", count: 9999))
    let read = try #require(GPUAnswer(output: answer.line))
    #expect(read.gpus.map(\.name) == ["[31mred"])
    #expect(read.gpus.map(\.memoryFree) == [1])
    #expect(read.gpus.map(\.utilisation) == [100])
    #expect(read.why.count == 512)
  }
}

package import JobCore
package import JobWire
internal import LinuxSystem

/// The GPUs of this machine, and data that only the report shows.
package struct GPUReading: Equatable, Sendable {
  package var gpus: [GPU]
  /// Percent by UUID, if the driver reports it.
  package var utilisation: [String: Int]
  /// Millijoules since the driver was loaded by UUID, if the driver reports it.
  package var energy: [String: UInt64] = [:]
  /// The driver's number of each by UUID, from 0, where it differs from the position.
  var indices: [String: Int] = [:]
  /// The source of the GPUs, or why there is none; never empty.
  package var why: String
  /// Whether the driver, or the machine without one, has answered.
  package var isKnown = true

  /// Before the first answer.
  package static let unknown = GPUReading(
    gpus: [], utilisation: [:], why: "the GPUs have not been detected yet")
}

/// Looks for GPUs without ever waiting for a driver in this process.
///
/// NVIDIA's are reported by `jobrun-helper gpu`, a child with a deadline; without one, render nodes of
/// real devices count. In the runner's loop:
///
///     let call = probe.start()
///     // call.descriptor: watch for readability until call.deadline; nil: finish at once
///     // then stop watching it, and:
///     let reading = probe.finish(call)
package struct GPUProbe {
  /// The helper's timeout; a healthy driver answers in a few hundred milliseconds.
  package static let timeout = Interval.seconds(5)

  private let helper: String
  private let environment: [[UInt8]]
  private let timeout: Interval
  private let tree: SystemTree
  /// A killed helper that the kernel still holds inside the driver.
  private var stuck: HelperCall?

  /// Sets the helper's path, its environment, and its timeout.
  ///
  /// `environment` is the runner's own, entries `NAME=VALUE` (`CurrentProcess.environment()`): `JOBRUN_NVML`
  /// and `LD_LIBRARY_PATH` in it give the path of NVIDIA's library. Render nodes are searched for in `tree`.
  package init(
    helper: String, environment: [[UInt8]], timeout: Interval = GPUProbe.timeout,
    tree: SystemTree = SystemTree()
  ) {
    self.helper = helper
    self.environment = environment
    self.timeout = timeout
    self.tree = tree
  }

  /// Starts the helper; never fails and never waits.
  package mutating func start() -> HelperCall {
    if let stuck, !stuck.hasEnded() {
      return HelperCall(
        answer: GPUAnswer(missing: "the NVIDIA driver has not answered an earlier call"))
    }
    stuck = nil
    return HelperCall(helper, verb: "gpu", environment: environment, timeout: timeout)
  }

  /// The answer; a helper that is still running is killed.
  package mutating func finish(_ call: HelperCall) -> GPUReading {
    let answer = call.finish()
    if !call.hasEnded() { stuck = call }
    return Self.reading(answer, tree)
  }

  /// Waits for the answer, at most for the helper's deadline: for programs without a loop.
  package mutating func read() -> GPUReading {
    let call = start()
    if let descriptor = call.descriptor {
      // A failed wait counts as no answer.
      _ = try? Poll.wait(descriptor, until: call.deadline)
    }
    return finish(call)
  }

  /// NVIDIA's GPUs if there are any, otherwise the render nodes' devices.
  static func reading(_ answer: GPUAnswer, _ tree: SystemTree) -> GPUReading {
    guard answer.gpus.isEmpty else { return GPUReading(answer) }
    let nodes = RenderNodeProbe().read(tree)
    return GPUReading(
      gpus: nodes.fact ?? [], utilisation: [:], why: "\(answer.why); \(nodes.why)",
      isKnown: answer.isAnswer)
  }
}

extension GPUReading {
  fileprivate init(_ answer: GPUAnswer) {
    gpus = answer.gpus.map {
      GPU(
        uuid: $0.uuid, name: $0.name, memoryTotalBytes: $0.memoryTotal,
        memoryFreeBytes: $0.memoryFree, processes: $0.processes.count)
    }
    utilisation = [:]
    for gpu in answer.gpus {
      utilisation[gpu.uuid] = gpu.utilisation
      energy[gpu.uuid] = gpu.energy
      indices[gpu.uuid] = gpu.index
    }
    why = answer.why
  }
}

extension GPUReading {
  /// Leaves out the GPUs that jobs may not use; nil = they may use all.
  package mutating func keep(_ allowed: GPUSelection?) {
    guard let allowed else { return }
    let all = gpus
    gpus = all.enumerated().compactMap { position, gpu in
      allowed.includes(index: indices[gpu.uuid] ?? position, uuid: gpu.uuid) ? gpu : nil
    }
    let others = all.count - gpus.count
    guard others > 0 else { return }
    why +=
      "; \"gpus\" in config.json is \(allowed.text.quoted), which leaves out"
      + " \(others == all.count ? "all of them" : "\(others) of \(all.count)")"
  }
}

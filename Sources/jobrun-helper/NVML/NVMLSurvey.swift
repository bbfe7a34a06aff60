internal import JobWire

/// Asks NVIDIA's management library for every GPU; errors become part of the answer.
struct NVMLSurvey: ~Copyable {
  private let library: NVMLLibrary
  /// Remarks for the answer beside the GPUs.
  private var remarks: [String] = []

  /// The whole answer, from loading the library on.
  static func answer(library name: String) -> GPUAnswer {
    do throws(NVMLLibrary.LoadError) {
      var survey = NVMLSurvey(library: try NVMLLibrary.load(name))
      return survey.answer()
    } catch {
      return GPUAnswer(why: "no NVIDIA GPU: \(error.description)")
    }
  }

  private init(library: consuming NVMLLibrary) {
    self.library = library
  }

  private mutating func answer() -> GPUAnswer {
    do throws(NVMLError) {
      try library.initialise()
      defer { library.shutDown() }
      return describe(try library.deviceCount())
    } catch {
      return GPUAnswer(why: "no NVIDIA GPU: \(error.description)")
    }
  }

  private mutating func describe(_ count: Int) -> GPUAnswer {
    var gpus: [GPUAnswer.Device] = []
    for index in 0..<count {
      do throws(NVMLError) {
        if let gpu = try device(index) { gpus.append(gpu) }
      } catch {
        remarks.append("GPU \(index) is left out: \(error.description)")
      }
    }
    let found =
      gpus.isEmpty
      ? count == 0 ? "the NVIDIA driver reports no GPU" : "no usable NVIDIA GPU"
      : "\(gpus.count) NVIDIA GPU\(gpus.count == 1 ? "" : "s"), reported by the driver"
    return GPUAnswer(gpus: gpus, why: ([found] + remarks).joined(separator: "; "))
  }

  /// Nil for a GPU that cannot be leased whole.
  private mutating func device(_ index: Int) throws(NVMLError) -> GPUAnswer.Device? {
    let device = try library.device(index)
    let name = try library.name(device)
    if try library.isSplit(device) {
      remarks.append(
        "GPU \(index) (\(name)) is left out: it is split by MIG, and only whole GPUs are leased")
      return nil
    }
    let memory = try library.memory(device)
    var answer = GPUAnswer.Device(
      uuid: try library.uuid(device), name: name, memoryTotal: memory.total,
      memoryFree: memory.free, utilisation: try? library.utilisation(device),
      processes: processes(device, index))
    answer.energy = library.energy(device)
    answer.index = index
    return answer
  }

  /// A driver that does not list processes (in a container, for example) does not make the GPU unusable.
  private mutating func processes(_ device: NVMLLibrary.Device, _ index: Int) -> [UInt32] {
    do throws(NVMLError) {
      return try library.processes(device)
    } catch {
      remarks.append("the processes on GPU \(index) are not known: \(error.description)")
      return []
    }
  }
}

extension NVMLLibrary {
  func initialise() throws(NVMLError) {
    try check(functions.initialise(), "nvmlInit_v2")
  }

  func shutDown() {
    _ = functions.shutDown()
  }

  func deviceCount() throws(NVMLError) -> Int {
    var count: UInt32 = 0
    try check(unsafe functions.count(&count), "nvmlDeviceGetCount_v2")
    return Int(min(count, Self.deviceLimit))
  }

  func device(_ index: Int) throws(NVMLError) -> Device {
    var handle: OpaquePointer?
    let result = unsafe functions.handle(UInt32(index), &handle)
    try check(result, "nvmlDeviceGetHandleByIndex_v2")
    guard let handle = unsafe handle else {
      throw NVMLError(function: "nvmlDeviceGetHandleByIndex_v2", code: 999)
    }
    return unsafe Device(handle: handle)
  }

  func name(_ device: Device) throws(NVMLError) -> String {
    try unsafe text(functions.name, device, "nvmlDeviceGetName")
  }

  func uuid(_ device: Device) throws(NVMLError) -> String {
    try unsafe text(functions.uuid, device, "nvmlDeviceGetUUID")
  }

  func memory(_ device: Device) throws(NVMLError) -> Memory {
    var memory = Memory()
    try check(unsafe functions.memory(device.handle, &memory), "nvmlDeviceGetMemoryInfo")
    return memory
  }

  /// In percent of the last sampling period.
  func utilisation(_ device: Device) throws(NVMLError) -> Int {
    var rates = Utilisation()
    try check(unsafe functions.utilisation(device.handle, &rates), "nvmlDeviceGetUtilizationRates")
    return Int(min(rates.gpu, 100))
  }

  /// In millijoules since the driver was loaded; nil for a GPU that does not count them.
  func energy(_ device: Device) -> UInt64? {
    guard let energy = unsafe functions.energy else { return nil }
    var millijoules: UInt64 = 0
    return unsafe energy(device.handle, &millijoules) == 0 ? millijoules : nil
  }

  /// Whether MIG splits the GPU; a GPU without MIG answers "not supported".
  func isSplit(_ device: Device) throws(NVMLError) -> Bool {
    guard let isSplit = unsafe functions.split else { return false }
    var current: UInt32 = 0
    var pending: UInt32 = 0
    let result = unsafe isSplit(device.handle, &current, &pending)
    if result == NVMLError.notSupported { return false }
    try check(result, "nvmlDeviceGetMigMode")
    return current == 1
  }

  /// Pids of the compute processes, the first `processLimit` of them.
  func processes(_ device: Device) throws(NVMLError) -> [UInt32] {
    var room = 64
    while true {
      var list = [ProcessInfo](repeating: ProcessInfo(), count: room)
      var count = UInt32(room)
      let result = unsafe list.withUnsafeMutableBytes { bytes in
        unsafe functions.processes(device.handle, &count, bytes.baseAddress)
      }
      if result == NVMLError.insufficientSize, room < Self.processRoom {
        // More processes may have started since the driver returned the count.
        room = min(max(Int(count), room) * 2, Self.processRoom)
        continue
      }
      try check(result, "nvmlDeviceGetComputeRunningProcesses")
      return Array(list.prefix(Int(count)).map(\.pid).filter { $0 != 0 }.prefix(Self.processLimit))
    }
  }

  private func text(
    _ function: NVMLFunctions.Text, _ device: Device, _ name: String
  ) throws(NVMLError) -> String {
    var buffer = [CChar](repeating: 0, count: Self.textBytes)
    try check(unsafe function(device.handle, &buffer, UInt32(buffer.count)), name)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private func check(_ result: Int32, _ function: String) throws(NVMLError) {
    guard result == 0 else { throw NVMLError(function: function, code: result) }
  }
}

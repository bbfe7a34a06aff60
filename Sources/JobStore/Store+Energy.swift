package import JobCore

extension Store {
  /// Stores what the GPUs of a job have used, which is known after its end; nothing if it is live again.
  package func setEnergy(
    gpuMillijoules: UInt64, of number: JobNumber, attempt: Int
  ) throws(StoreError) {
    try run(
      "UPDATE jobs SET gpu_mj = ? WHERE number = ? AND attempt = ? AND state = 'ended'",
      for: "storing the energy of job \(number)"
    ) {
      $0.bind(unsigned: gpuMillijoules)
      $0.bind(Int64(bitPattern: number.value))
      $0.bind(Int64(attempt))
    }
  }
}

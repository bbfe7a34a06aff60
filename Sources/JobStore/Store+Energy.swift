package import JobCore
import JobWire

extension Store {
  /// Stores what the GPUs of a job have used, which is known after its end; nothing if it is live again.
  package func setEnergy(
    gpuMillijoules: UInt64, of number: JobNumber, attempt: Int
  ) throws(StoreError) {
    try changeEnded(number) { row in
      if row.attempt == attempt { row.use.gpuMillijoules = gpuMillijoules }
    }
  }
}

package import JobCore
import JobWire

extension Store {
  /// Stores the energy used by the GPUs of a job, which is known after its end; does nothing if the job is
  /// live again.
  package func setEnergy(
    gpuMillijoules: UInt64, of number: JobNumber, attempt: Int
  ) throws(StoreError) {
    try changeEnded(number) { row in
      if row.attempt == attempt { row.use.gpuMillijoules = gpuMillijoules }
    }
  }
}

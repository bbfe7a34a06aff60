internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// The whole job: ask what the server can do, send the file, look whether it stayed the same.
enum Upload {
  /// Does what the arguments ask for; `task` shows and stops it.
  static func run(_ arguments: UploadArguments, _ task: BGContinuedProcessingTask) throws {
    let file = try SentFile(arguments.file)
    let courier = try Courier(arguments, file, task)
    task.unit = .bytes
    courier.show(0)
    if let method = arguments.method {
      try sendWhole(courier, method)
    } else if try courier.persist({ try TusUpload.isOffered(courier) }) {
      let state = BGTaskScheduler.shared.stateDirectory.map { BytePath($0.path) }
      try TusUpload(courier, state: state).run()
    } else {
      try sendWhole(courier, .put)
    }
    guard file.isUnchanged else {
      throw TransferError.reading(file.path, "it has changed while it was sent")
    }
    courier.show(file.size)
    task.message = "uploaded \(Report.bytes(file.size)) to \(courier.address.shown)"
  }

  private static func sendWhole(_ courier: Courier, _ method: Request.Method) throws {
    _ = try courier.persist {
      try courier.send(method, to: courier.address, from: 0, mayRepeat: method == .put)
    }
  }
}

internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// The whole job: check the server's protocols, send the file, check that it has not changed.
enum Upload {
  /// Does what the arguments ask for; `task` reports progress and is checked for cancellation.
  static func run(_ arguments: UploadArguments, _ task: BGContinuedProcessingTask) throws {
    let file = try SentFile(arguments.file)
    let courier = try Uploader(arguments, file, task)
    task.unit = .bytes
    courier.show(0)
    let state = BGTaskScheduler.shared.stateDirectory.map { BytePath($0.path) }
    let notes: UploadNotes
    if arguments.method == nil, try courier.persist({ try TusUpload.isOffered(courier) }) {
      notes = UploadNotes(courier, state?.appending("tus"))
      try TusUpload(courier, notes).run()
    } else {
      notes = UploadNotes(courier, state?.appending("upload"))
      try WholeUpload(courier, arguments.method ?? .put, notes).run()
    }
    guard file.isUnchanged else {
      throw TransferError.reading(file.path, "it has changed while it was sent")
    }
    courier.show(file.size)
    courier.noteAnswer()
    task.message = "uploaded \(Report.bytes(file.size)) to \(courier.address.shown)"
    // Until the success is recorded, another attempt must ask the server what it has.
    task.setTaskCompleted(success: true)
    notes.remove()
  }
}

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
    let isTus = try arguments.method == nil && courier.persist { try TusUpload.isOffered(courier) }
    let notes = UploadNotes(courier, state?.appending(isTus ? "tus" : "upload"))
    let sent = SentNote(in: state)
    do {
      if isTus {
        try TusUpload(courier, notes).run()
      } else {
        try WholeUpload(courier, arguments.method ?? .put, notes, sent).run()
      }
    } catch {
      // What the server has of it is worthless, even if that is all of it.
      if courier.isRefused {
        notes.remove()
        sent.remove()
      }
      throw error
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
    sent.remove()
  }
}

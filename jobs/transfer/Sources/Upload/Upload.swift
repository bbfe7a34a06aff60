internal import BackgroundTasks
internal import Foundation
internal import JobFiles

/// The whole job: check the server's protocols, send the file, check that it has not changed.
enum Upload {
  /// Does what the arguments ask for; `task` reports progress and is checked for cancellation.
  static func run(_ arguments: UploadArguments, _ task: BGContinuedProcessingTask) throws {
    let file = try SentFile(arguments.file)
    let uploader = try Uploader(arguments, file, task)
    task.unit = .bytes
    uploader.show(0)
    let state = BGTaskScheduler.shared.stateDirectory.map { BytePath($0.path) }
    let isTus =
      try arguments.method == nil && uploader.persist { try TusUpload.isOffered(uploader) }
    let notes = UploadNotes(uploader, state?.appending(isTus ? "tus" : "upload"))
    let sent = SentNote(in: state)
    do {
      if isTus {
        try TusUpload(uploader, notes).run()
      } else {
        try WholeUpload(uploader, arguments.method ?? .put, notes, sent).run()
      }
    } catch {
      // What the server has of it is worthless, even if that is all of it.
      if uploader.isRefused {
        notes.remove()
        sent.remove()
      }
      throw error
    }
    guard file.isUnchanged else {
      throw TransferError.reading(file.path, "it has changed while it was sent")
    }
    uploader.show(file.size)
    uploader.noteAnswer()
    task.message = "uploaded \(Report.bytes(file.size)) to \(uploader.address.shown)"
    // Until the success is recorded, another attempt must ask the server what it has.
    task.setTaskCompleted(success: true)
    notes.remove()
    sent.remove()
  }
}

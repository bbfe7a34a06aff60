package import JobCore
package import JobWire

/// Many submissions in one, on their way through the scheduler.
package final class BatchDraft {
  package let batch: Batch
  private let request: SubmitRequest
  private let template: CommandTemplate
  private let title: CommandTemplate
  private let inputs: PackedInputs?
  /// The folder of a command that is shown; nil = it is not.
  private let directory: [UInt8]?
  /// The properties in which the jobs differ; empty = only their inputs differ.
  private let mixed: [MixedJob]
  /// The shared part of their specifications, as submitted.
  package let specification: [UInt8]

  /// `template` is the command in `specification`, `request.details.executed` its public form.
  package init(
    _ request: SubmitRequest, _ batch: Batch, _ template: CommandTemplate, _ inputs: PackedInputs,
    specification: [UInt8]
  ) {
    self.batch = batch
    self.request = request
    self.template = template
    self.inputs = inputs
    self.specification = specification
    title = CommandTemplate([Array(request.title.utf8)])
    directory = request.details.executed.flatMap { executed in
      executed.command == nil ? nil : Array(executed.directory.utf8)
    }
    mixed = []
  }

  /// Different jobs; `specification` is their shared part, with a place in the command for all words of each.
  package init(
    _ request: SubmitRequest, _ batch: Batch, _ mixed: [MixedJob], specification: [UInt8]
  ) {
    self.batch = batch
    self.request = request
    self.mixed = mixed
    self.specification = specification
    (inputs, directory) = (nil, nil)
    (template, title) = (CommandTemplate([]), CommandTemplate([]))
  }

  var bytes: Int {
    mixed.reduce(specification.count + (inputs?.bytes.count ?? 0)) { $0 + $1.command.packed.count }
  }

  /// The inputs of one job, from 0, as stored.
  func words(at index: Int) -> [UInt8] {
    inputs.map { Array($0.packed(at: index)) } ?? mixed[index].command.packed
  }

  /// One of the jobs; its number and time are set at its acceptance.
  func job(at index: Int, _ submission: Submission) -> LiveJob {
    var request = request
    guard let inputs else {
      (request.title, request.subtitle) = (mixed[index].title, mixed[index].subtitle)
      request.options = submission.options
      request.details = mixed[index].details(request.details)
      return LiveJob(request, submission)
    }
    let filling = CommandTemplate.Filling(inputs[index], position: index + 1)
    request.title = title.shown(with: filling, bytes: Limits.titleBytes)
    if let path = request.details.stdout {
      request.details.stdout = OutputPath.filled(path, with: filling)
    }
    if let path = request.details.stderr {
      request.details.stderr = OutputPath.filled(path, with: filling)
    }
    if let directory {
      request.details.executed = ExecutedCommand(
        directory: directory, arguments: template.filled(with: filling))
    }
    return LiveJob(request, submission)
  }
}

/// A job's specification that is new to the journal.
package struct NewSpecification: Hashable, Sendable {
  /// The whole specification, or the job's own inputs if the rest is shared.
  package let bytes: [UInt8]
  /// The first of the jobs that share the rest; nil = nothing is shared.
  package let batch: JobNumber?

  package init(_ bytes: [UInt8], batch: JobNumber? = nil) {
    self.bytes = bytes
    self.batch = batch
  }
}

/// The shared specification of a batch's jobs, once they are accepted.
package struct AcceptedBatch: Hashable, Sendable {
  package let first: JobNumber
  package let count: Int
  package let key: String
  package let specification: [UInt8]
}

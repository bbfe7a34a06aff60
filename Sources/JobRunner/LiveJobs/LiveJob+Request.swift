import JobCore
import JobRuntime
import JobWire

extension LiveJob {
  /// The submission as its request, with the displayed texts.
  var request: SubmitRequest {
    var request = SubmitRequest(
      key: submission.key, identifier: submission.identifier.text, title: title,
      speaksPage: submission.options.speaksPage)
    request.definition = definition
    request.subtitle = subtitle
    request.options = submission.options
    request.bundle = submission.bundle?.text
    // Its bundle lists it, or it would not have been accepted.
    request.isListed = submission.bundle.map { !submission.identifier.isUnder($0) } ?? false
    request.notBefore = submission.notBefore
    request.isHeld = submission.isHeld
    request.after = submission.after.needingSuccess
    request.afterAny = submission.after.needingAnyEnd
    request.afterOne = submission.after.needingOneSuccess
    request.details = details
    return request
  }
}

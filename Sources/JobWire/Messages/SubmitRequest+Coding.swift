import JobCore

extension SubmitRequest: Coded {
  package init() { self.init(key: "", identifier: "", title: "", speaksPage: false) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&key, "key")
    try coder.code(&identifier, "identifier")
    try coder.codeAlways(&definition, "definition")
    try coder.code(&title, "title")
    try coder.codeAlways(&subtitle, "subtitle")
    // The one option that must be there.
    if coder.isReading { try coder.code(&options.speaksPage, "speaksPage") }
    try options.code(with: &coder)
    try coder.codeAlways(&bundle, "bundle")
    try coder.code(&isListed, "listed", usual: false)
    try coder.codeAlways(&notBefore, "notBefore")
    try coder.code(&isHeld, "hold", usual: false)
    try coder.code(&filesMayStay, "filesMayStay", usual: false)
    try coder.ranges(&after, "after")
    try coder.ranges(&afterAny, "afterAny")
    try coder.ranges(&afterOne, "afterOne")
    let onEnd = try coder.coded(details.onEnd, "onEnd")
    try coder.code(&host, "host")
    details.onEnd = nil
    try coder.code(&details, "details", usual: JobDetails())
    details.onEnd = onEnd
  }
}

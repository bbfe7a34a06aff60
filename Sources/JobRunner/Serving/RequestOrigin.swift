/// Where the answer to a request goes.
struct RequestOrigin {
  let client: UInt64
  let id: UInt64
  /// Of the jobs that it is answered with only the number is wanted.
  var isCounted = false
}

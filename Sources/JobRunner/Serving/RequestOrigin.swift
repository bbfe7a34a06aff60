/// Where the answer to a request goes.
struct RequestOrigin {
  let client: UInt64
  let id: UInt64
}

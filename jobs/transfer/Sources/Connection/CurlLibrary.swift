internal import LazyCurl

/// libcurl, once it is loaded (`man 3 libcurl`).
@safe
struct CurlLibrary {
  let functions: lazy_curl

  /// Loads the library.
  init() throws(TransferError) {
    var functions = lazy_curl()
    if let reason = unsafe lazy_curl_load(&functions) {
      throw .library(unsafe String(cString: reason))
    }
    guard functions.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
      throw .library("it cannot be set up")
    }
    self.functions = functions
  }

  /// The library's words for a code.
  func words(_ code: CURLcode) -> String {
    unsafe functions.easy_strerror(code).map { unsafe String(cString: $0) }
      ?? "code \(code.rawValue)"
  }
}

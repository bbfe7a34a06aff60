public import FoundationNetworking

/// What a delegate of a background session may have beside the methods of the other protocols.
public protocol BackgroundURLSessionDelegate: FoundationNetworking.URLSessionDelegate {
  /// All events of a session have been told that this program was launched for.
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

public import FoundationNetworking

/// The methods of a background session's delegate beside those of the other protocols.
public protocol BackgroundURLSessionDelegate: FoundationNetworking.URLSessionDelegate {
  /// All events for which this program was launched have been delivered.
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

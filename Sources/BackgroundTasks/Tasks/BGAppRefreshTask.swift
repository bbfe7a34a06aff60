/// A short refresh of content, 30 seconds at most; after Apple's class of this name.
///
/// A handler submits its request again for the next refresh.
public final class BGAppRefreshTask: BGTask, @unchecked Sendable {}

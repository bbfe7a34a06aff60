/// A short look at what is new, 30 seconds at most; after Apple's class of this name.
///
/// A handler that wants to look again later submits its request again.
public final class BGAppRefreshTask: BGTask, @unchecked Sendable {}

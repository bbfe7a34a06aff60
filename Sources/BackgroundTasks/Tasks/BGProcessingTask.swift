/// Minutes of work that waited for a time and a machine that suit; after Apple's class of this name.
///
/// It is stopped when its time is up or one of its conditions is lost.
public class BGProcessingTask: BGTask, @unchecked Sendable {}

/// A processing task of a research study; after Apple's class of this name.
public final class BGHealthResearchTask: BGProcessingTask, @unchecked Sendable {}

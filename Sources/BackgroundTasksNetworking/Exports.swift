// So that a file that imports nothing else finds `URLSession`, as after Apple's `Foundation`, and the calls
// of `BackgroundTasks`.
@_exported public import BackgroundTasks
@_exported public import FoundationNetworking

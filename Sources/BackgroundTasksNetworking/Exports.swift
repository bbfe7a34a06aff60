// A file that imports only this module finds `URLSession`, as after Apple's `Foundation`, and the API of
// `BackgroundTasks`.
@_exported public import BackgroundTasks
@_exported public import FoundationNetworking

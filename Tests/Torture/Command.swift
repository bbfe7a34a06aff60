import TestKit

/// A `jobrun` that this program started; the system's own type for children has the same name.
typealias Command = TestKit.ChildProcess

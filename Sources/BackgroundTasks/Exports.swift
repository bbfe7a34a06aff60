// As Apple's module does, so that a file that imports nothing else finds `Date`, `Data` and
// `DispatchQueue`.
@_exported public import Dispatch
@_exported public import Foundation

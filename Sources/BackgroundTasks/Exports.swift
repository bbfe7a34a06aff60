// As in Apple's module, so that a file with only this import finds `Date`, `Data` and `DispatchQueue`.
@_exported public import Dispatch
@_exported public import Foundation

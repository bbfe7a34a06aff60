// swift-format-ignore-file
import BackgroundTasks
import Foundation

// What the session samples take from SwiftUI and UIKit, which exist on Apple's systems only: just
// enough for the samples to be compiled as they are printed.

typealias App = BackgroundProgram
typealias Scene = BackgroundScene

func WindowGroup(_ content: () -> Void) -> Background { Background() }

@MainActor class UIResponder {}

@MainActor protocol UIApplicationDelegate {}

@MainActor
final class UIApplication {
  struct LaunchOptionsKey: Hashable {}

  static var shared: BGTaskScheduler { .shared }
}

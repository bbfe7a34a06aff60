internal import Foundation
internal import JobCore

/// A request as a value, which may cross threads and be compared.
struct RequestedTask: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case refresh
    /// `protection`, by its raw value, only of a health research request.
    case processing(network: Bool, power: Bool, protection: String?)
    case continued(Continued)
  }

  /// The additional fields of a request for continued processing.
  struct Continued: Hashable, Sendable {
    var title: String
    var subtitle: String
    var strategy: BGContinuedProcessingTaskRequest.SubmissionStrategy
    var resources: BGContinuedProcessingTaskRequest.Resources
  }

  var identifier: String
  var earliestBeginDate: Date?
  var kind: Kind

  /// A new request object with these values.
  var request: BGTaskRequest {
    let request: BGTaskRequest
    switch kind {
    case .refresh: request = BGAppRefreshTaskRequest(identifier: identifier)
    case .processing(let network, let power, let protection):
      let processing = Self.processing(identifier, protection)
      processing.requiresNetworkConnectivity = network
      processing.requiresExternalPower = power
      request = processing
    case .continued(let values):
      let continued = BGContinuedProcessingTaskRequest(
        identifier: identifier, title: values.title, subtitle: values.subtitle)
      continued.strategy = values.strategy
      continued.requiredResources = values.resources
      request = continued
    }
    request.earliestBeginDate = earliestBeginDate
    return request
  }

  private static func processing(
    _ identifier: String, _ protection: String?
  ) -> BGProcessingTaskRequest {
    guard let protection else { return BGProcessingTaskRequest(identifier: identifier) }
    let request = BGHealthResearchTaskRequest(identifier: identifier)
    request.protectionTypeOfRequiredData = FileProtectionType(rawValue: protection)
    return request
  }

  /// The same with texts that are safe to show; `name` replaces a missing title.
  func fitToBeShown(else name: String) -> RequestedTask {
    guard case .continued(var values) = kind else { return self }
    var request = self
    values.title = ShownText.title(values.title, else: name)
    values.subtitle = ShownText.cleaned(values.subtitle)
    request.kind = .continued(values)
    return request
  }

  /// Whether its task is a `BGHealthResearchTask`.
  var isHealthResearch: Bool {
    if case .processing(_, _, let protection) = kind { protection != nil } else { false }
  }

  /// The kind of task that it asks for.
  var taskKind: TaskKind {
    switch kind {
    case .refresh: .refresh
    case .processing: .processing
    case .continued: .continued
    }
  }
}

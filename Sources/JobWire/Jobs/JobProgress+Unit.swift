package import JobCore

extension JobProgress.Unit {
  package init(_ unit: PageSample.Unit) {
    self =
      switch unit {
      case .items: .items
      case .bytes: .bytes
      case .share: .share
      }
  }
}

extension PageSample.Unit {
  package init(_ unit: JobProgress.Unit) {
    self =
      switch unit {
      case .items: .items
      case .bytes: .bytes
      case .share: .share
      }
  }
}

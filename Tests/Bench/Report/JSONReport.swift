import Foundation

/// All figures of a run for programs: every sample of every row and the points of every curve.
enum JSONReport {
  private struct Content: Encodable {
    var machine: [String: String]
    var rows: [Entry]
    var plots: [PlotEntry]
  }

  private struct Entry: Encodable {
    var name: String
    var unit: String
    var ours: [Double]
    var median: Double
    var reference: String?
    var referenceSamples: [Double]?
    var ratio: Double?
    var isMet: Bool?
  }

  private struct PlotEntry: Encodable {
    var name: String
    var x: String
    var y: String
    var curves: [String: [[Double]]]
  }

  static func data(_ rows: [Row], _ plots: [Plot], machine: [String: String]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(
      Content(machine: machine, rows: rows.map(entry), plots: plots.map(entry)))
  }

  private static func entry(_ row: Row) -> Entry {
    Entry(
      name: row.name, unit: row.unit.rawValue, ours: row.ours.samples, median: row.ours.median,
      reference: row.reference?.name, referenceSamples: row.reference?.series.samples,
      ratio: row.ratio, isMet: row.isMet)
  }

  private static func entry(_ plot: Plot) -> PlotEntry {
    let curves = plot.curves.map { ($0.name, $0.points.map { [$0.x, $0.y] }) }
    return PlotEntry(
      name: plot.name, x: plot.xTitle, y: plot.yTitle,
      curves: Dictionary(curves) { first, _ in first })
  }
}

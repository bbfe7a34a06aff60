/// One machine of a pool, for `jobrun resources --on`.
package struct MachineReport: Hashable, Sendable {
  /// The name of its engine, or `here`.
  package var machine: String
  /// Why it cannot be reached; nil = it can.
  package var trouble: String?
  /// Slots that it has for jobs without a group, and how many are taken.
  package var slotsTotal: Int
  package var slotsUsed: Int
  /// What it has; nil if it cannot be reached.
  package var resources: ResourcesReport?

  package init(_ machine: String, slotsTotal: Int, slotsUsed: Int) {
    self.machine = machine
    self.slotsTotal = slotsTotal
    self.slotsUsed = slotsUsed
  }
}

extension MachineReport: Coded {
  package init() { self.init("", slotsTotal: 0, slotsUsed: 0) }

  /// A line of `jobrun resources --on NAME --json`.
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&machine, "machine")
    try coder.codeAlways(&trouble, "trouble")
    try coder.code(&slotsTotal, "slotsTotal")
    try coder.code(&slotsUsed, "slotsUsed")
    try coder.codeAlways(&resources, "resources")
  }
}

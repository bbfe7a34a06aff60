import JobWire
import Testing

@Suite struct `What the attempts of a job have used` {
  @Test func `is added up, and of memory the most counts`() {
    var all = ResourceUse()
    var first = ResourceUse()
    (first.cpuMicroseconds, first.maxResidentBytes, first.bytesRead) = (2_000, 900, 512)
    all.add(first, isFirst: true)
    var second = ResourceUse()
    (second.cpuMicroseconds, second.maxResidentBytes, second.bytesWritten) = (3_000, 800, 64)
    second[.bytesSent] = 7
    all.add(second, isFirst: false)
    #expect(all.cpuMicroseconds == 5_000)
    #expect(all.maxResidentBytes == 900)
    #expect(all.bytesRead == 512)
    #expect(all.bytesWritten == 64)
    #expect(all[.bytesSent] == 7)
  }

  @Test func `stays what it was where an attempt tells nothing, and ends at what can be told`() {
    var use = ResourceUse()
    use.cpuMicroseconds = UInt64.max - 1
    use.add(ResourceUse(), isFirst: false)
    #expect(use.cpuMicroseconds == UInt64.max - 1)
    use.add(use, isFirst: false)
    #expect(use.cpuMicroseconds == UInt64.max)
    #expect(use.maxResidentBytes == nil)
  }

  @Test func `is of energy known only where it is of each of them`() {
    var known = ResourceUse()
    known.processorMillijoules = 7
    var all = ResourceUse()
    all.add(known, isFirst: true)
    all.add(known, isFirst: false)
    #expect(all.processorMillijoules == 14)
    all.add(ResourceUse(), isFirst: false)
    all.add(known, isFirst: false)
    #expect(all.processorMillijoules == nil)
  }
}

import JobCore
import JobWire
import Testing

@Suite struct TextTests {
  @Test(
    arguments: [
      ("500ms", 500), ("2s", 2000), ("3m", 180_000), ("1h", 3_600_000), ("1h30m", 5_400_000),
      ("2d", 172_800_000), ("1h30m5s250ms", 5_405_250), ("0s", 0), ("90s", 90_000),
      ("3650d", 315_360_000_000), ("1.5h", 5_400_000), ("0.5s", 500), ("2.25m", 135_000),
      ("1h0.5m", 3_630_000), ("1.0005s", 1_001), ("0.1ms", 1), ("0.0s", 0),
      ("1.00000000000000000001s", 1_001),
    ] as [(String, UInt64)])
  func `durations are read`(text: String, milliseconds: UInt64) throws {
    let span = try DurationText.parse(text)
    #expect(span.milliseconds == milliseconds)
    #expect(try DurationText.parse(DurationText.format(span)) == span)
  }

  @Test(arguments: [
    "", "5", "s", "-5s", "1.5", ".5h", "1.h", "1.5.5h", "1,5h", "1.5h30m", "5 s", "5S", "1m1h",
    "1s1s", "5x", "5min", "3651d", "never",
    "99999999999999999999s", "18446744073709551615ms", "9223372036854775807d", "5s ", "é", "5sé",
  ])
  func `what is not a duration is refused with an example`(text: String) {
    #expect { _ = try DurationText.parse(text) } throws: {
      let error = $0 as? WireError
      return error?.code == .usage && error?.message.contains("examples: 500ms") == true
    }
  }

  @Test(
    arguments: [
      (0, "0s"), (1, "1ms"), (90_000, "1m30s"), (3_600_001, "1h1ms"), (172_800_000, "2d"),
    ] as [(UInt64, String)])
  func `durations are shown short`(milliseconds: UInt64, text: String) {
    #expect(DurationText.format(.milliseconds(milliseconds)) == text)
  }

  @Test(
    arguments: [
      ("0", 0), ("4000000", 4_000_000), ("1K", 1024), ("4G", 4 << 30), ("512M", 512 << 20),
      ("1.5G", 3 << 29), ("2T", 2 << 40), ("4GiB", 4 << 30), ("4GB", 4_000_000_000),
      ("4g", 4 << 30),
      ("100B", 100), ("0.5k", 512),
    ] as [(String, UInt64)])
  func `sizes are read`(text: String, bytes: UInt64) throws {
    #expect(try BinarySize.parse(text) == bytes)
    #expect(try BinarySize.parse(BinarySize.formatExactly(bytes)) == bytes)
  }

  @Test(arguments: [
    "", "G", "-1G", "1,5G", "1.5", ".5G", "5.G", "4X", "4 G", "1e3", "99999999999999T", "1.2.3G",
    "٣G", "inf", "0x10",
  ])
  func `what is not a size is refused`(text: String) {
    #expect(throws: WireError.self) { try BinarySize.parse(text) }
  }

  @Test(
    arguments: [
      (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (1_048_575, "1 MiB"),
      (100 << 20, "100 MiB"), (157_390_000, "150 MiB"), (.max, "16 EiB"), (10 << 30, "10 GiB"),
    ] as [(UInt64, String)])
  func `sizes are shown short`(bytes: UInt64, text: String) {
    #expect(BinarySize.format(bytes) == text)
  }

  @Test func `requirements are read, written and read again`() throws {
    var requirements = Requirements()
    try RequirementText.apply("gpu=2, gpu-memory=8G,memory=4G", to: &requirements)
    try RequirementText.apply("cpu=4,disk=10G,network,power", to: &requirements)
    #expect(requirements.gpuCount == 2)
    #expect(requirements.gpuMemoryBytes == 8 << 30)
    #expect(requirements.memoryBytes == 4 << 30)
    #expect(requirements.processors == 4)
    #expect(requirements.diskBytes == 10 << 30)
    #expect(requirements.network && requirements.power)
    var again = Requirements()
    for text in RequirementText.format(requirements) {
      try RequirementText.apply(text, to: &again)
    }
    #expect(again == requirements)
    #expect(RequirementText.format(Requirements()).isEmpty)
  }

  @Test func `memory of a GPU asks for one`() throws {
    var requirements = Requirements()
    try RequirementText.apply("gpu-memory=8G", to: &requirements)
    #expect(requirements.gpuCount == 1)
    #expect(RequirementText.format(requirements) == ["gpu", "gpu-memory=8G"])
  }

  @Test(arguments: [
    ("gpus", "did you mean gpu"), ("netwrok", "did you mean network"), ("", "is not a requirement"),
    ("licence", "or licence=1 for one of"),
    ("gpu=0", "whole number from 1"), ("gpu=x", "whole number from 1"),
    ("gpu,", "not a requirement"),
    ("cpu", "cpu takes a whole number"), ("memory", "memory takes a size"),
    ("memory=0", "memory takes a size"), ("memory=lots", "memory takes a size"),
    ("network=yes", "network takes no value"), ("quantum", "use gpu, gpu-memory, cpu"),
  ])
  func `an unknown requirement names the nearest`(text: String, part: String) {
    var requirements = Requirements()
    do throws(WireError) {
      try RequirementText.apply(text, to: &requirements)
      Issue.record("\(text) was accepted")
    } catch {
      #expect(error.code == .usage)
      #expect(error.message.contains(part), "\(error.message)")
    }
  }

  @Test(arguments: [
    ("exprot", "export"), ("chekcsum", "checksum"), ("Export", "export"), ("exp", "export"),
    ("gpucheck", "gpu-check"), ("zzz", nil), ("q", nil),
    ("foo", nil), ("lgo", "log"),
  ])
  func `the nearest name is found and nothing far is`(typed: String, nearest: String?) {
    let known = ["export", "checksum", "gpu-check", "log"]
    #expect(NearestName.nearest(to: typed, among: known) == nearest)
  }
}

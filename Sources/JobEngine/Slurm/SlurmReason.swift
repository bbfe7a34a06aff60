package import JobCore
internal import JobWire

/// Why a job waits, from Slurm's word for it: about 190 words, covered by patterns.
package struct SlurmReason: Equatable {
  package enum Kind: Equatable {
    case waits(PendingReason.Code)
    /// It would wait for ever.
    case never
  }

  package var kind: Kind
  package var sentence: String

  package init(_ word: String) {
    if Self.never.contains(word)
      || ["NotAllowed", "PerJob", "MinCpus", "MinNodes"].contains(where: word.holds)
    {
      (kind, sentence) = (.never, "it can never start there (\(word))")
    } else if word == "JobHeldUser" {
      (kind, sentence) = (.waits(.held), "it is on hold there (scontrol release releases it)")
    } else if word == "JobHeldAdmin" || word == "JobHoldMaxRequeue" || word.holds("requeued held") {
      (kind, sentence) = (.waits(.held), "an administrator has put it on hold there")
    } else if word == "BeginTime" {
      (kind, sentence) = (.waits(.engine), "its time there has not come")
    } else if ["Grp", "PerUser", "PerAccount", "JobsLimit", "Submit"].contains(where: word.holds) {
      (kind, sentence) = (.waits(.engine), "the limit of your account is reached (\(word))")
    } else if Self.busy.contains(word) {
      (kind, sentence) = (.waits(.engine), "other jobs are ahead")
    } else {
      (kind, sentence) = (.waits(.engine), word)
    }
  }

  /// Without `EnforcePartLimits` Slurm accepts impossible requests and lets them wait.
  private static let never = [
    "PartitionConfig", "PartitionTimeLimit", "PartitionNodeLimit", "BadConstraints",
    "InvalidAccount", "InvalidQOS", "MaxMemPerLimit", "DependencyNeverSatisfied", "DeadLine",
  ]
  private static let busy = ["None", "Priority", "Resources", "Prolog", "Cleaning", "SchedDefer"]
}

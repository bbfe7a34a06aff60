import Testing

/// While power is short, background starts wait.
@Suite struct SavingTests {
  @Test func `a refresh waits for power with the reason, what a person starts does not`() {
    Scenario.play(
      """
      slots 3
      0s   save                 |
           submit a refresh     | 1 submitted power, accepted 1
           why 1                | it waits to save power: the battery has 15 % left, below 20 %
           submit b             | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           submit c processing fail | refused immediateRunIneligible
      9s   unsave               | 1 launched, launch 1.1
      """)
  }

  @Test func `what can wait waits while the machine is short of something, or somebody is there`() {
    Scenario.play(
      """
      slots 4
      0s   busy memory somebody             |
           submit a refresh                 | 1 submitted pressure, accepted 1
           why 1                            | it waits for others: memory is short
           submit b processing idle         | 2 submitted idle, accepted 2
           why 2                            | it waits until this machine is idle: somebody is there
           submit c                         | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           busy somebody                    | 1 launched, launch 1.1
           busy                             | 2 launched, launch 2.1
      """)
  }

  @Test func `what runs goes on, and one can be tried out`() {
    Scenario.play(
      """
      0s   submit a processing      | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           save                     |
           show 1                   | launching
           submit b refresh         | 2 submitted power, accepted 2
           simulate launch 2        | 2 launched, done 2, launch 2.1
      """)
  }

  @Test func `one that waits for power does not hold up those behind it`() {
    Scenario.play(
      """
      slots 1
      0s   submit a                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b refresh         | 2 submitted slots, accepted 2
           submit c                 | 3 submitted slots, accepted 3
           save                     | 2 queued power
      1s   finished 1 success       | 1 ended succeeded, 3 launched, launch 3.1
           unsave                   |
           why 2                    | the only slot is taken by job 3
      2s   finished 3 success       | 3 ended succeeded, 2 launched, launch 2.1
      """)
  }

  @Test func `the next runner knows it before it starts anything`() {
    Scenario.play(
      """
      0s   save                       |
           restore 1 a queued refresh |
           restore 2 b queued         |
           deadline                   | 1 queued power, 2 launched, launch 2.1
      """)
  }
}

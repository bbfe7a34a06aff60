import JobCore
import Testing

/// The user's settings take precedence, for new and for waiting jobs.
@Suite struct SettingsTests {
  @Test func `background work that is off is refused, what a person starts is not`() {
    Scenario.play(
      """
      0s   settings test background=no      |
           submit a refresh                 | refused unavailable
           said                             | background work of test is switched off; \
      jobrun settings set test background=yes allows it
           submit b processing              | refused unavailable
           submit c refresh of=other        | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit d of=test                 | 2 submitted slots, 2 launched, accepted 2, launch 2.1
      """)
  }

  @Test func `what waits already waits on, and starts when it is allowed again`() {
    Scenario.play(
      """
      slots 1
      0s   submit a of=test                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b processing              | 2 submitted slots, accepted 2
           submit c                         | 3 submitted slots, accepted 3
           settings test background=no      | 2 queued settings
           # What runs goes on, and others go ahead of what may not start.
           show 1                           | launching
      1s   finished 1 success               | 1 ended succeeded, 3 launched, launch 3.1
           why 2                            | background work of test is switched off; \
      jobrun settings set test background=yes allows it
      2s   finished 3 success               | 3 ended succeeded
           settings test background=yes     | 2 launched, launch 2.1
      """)
  }

  @Test func `a time that comes while it is off starts nothing`() {
    Scenario.play(
      """
      0s   clock 100s                       |
           submit a refresh at=110s         | 1 submitted notBefore, accepted 1
           settings test background=no      |
      10s  clock 110s                       | 1 queued settings
           simulate launch 1                | refused unavailable
           settings                         | 1 launched, launch 1.1
      """)
  }

  @Test func `a bundle has no more slots than it may have, and holds up nobody else`() {
    Scenario.play(
      """
      slots 4
      0s   settings test slots=1            |
           submit a of=test                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b of=test                 | 2 submitted slots, accepted 2
           why 2                            | the only slot that test may have is taken (jobrun settings)
           submit c of=test fail            | refused immediateRunIneligible
           submit d                         | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           submit e of=other                | 4 submitted slots, 4 launched, accepted 4, launch 4.1
           submit f of=test                 | 5 submitted slots, accepted 5
      1s   finished 1 success               | 1 ended succeeded, 2 launched, launch 2.1
           show 5                           | queued slots #1
           settings test slots=2            | 5 launched, launch 5.1
      """)
  }

  @Test func `with fewer slots nothing is taken from what runs`() {
    Scenario.play(
      """
      slots 3
      0s   submit a of=test                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b of=test                 | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           submit c of=test                 | 3 submitted slots, 3 launched, accepted 3, launch 3.1
           submit d of=test                 | 4 submitted slots, accepted 4
           settings test slots=1            |
      1s   finished 1 success               | 1 ended succeeded
           finished 2 success               | 2 ended succeeded
           finished 3 success               | 3 ended succeeded, 4 launched, launch 4.1
      """)
  }

  @Test func `one that waits for a GPU does not keep the bundle's slots from others`() {
    Scenario.play(
      """
      slots 4
      0s   machine gpus=1                   |
           settings test slots=1            |
           submit a gpu                     | 1 submitted slots, 1 launched, accepted 1, launch 1.1 on 0
           submit b of=test                 | 2 submitted slots, 2 launched, accepted 2, launch 2.1
           submit c of=test gpu             | 3 submitted slots, accepted 3
           submit d of=test                 | 4 submitted slots, accepted 4
      1s   finished 2 success               | 2 ended succeeded, 4 launched, launch 4.1
      """)
  }

  @Test func `a GPU or a network that may not be used is refused`() {
    Scenario.play(
      """
      0s   machine gpus=1                   |
           settings test gpu=no network=no  |
           submit a of=test gpu             | refused unavailable
           said                             | test may not use a GPU; \
      jobrun settings set test gpu=yes allows it
           submit b of=test network         | refused unavailable
           submit c of=test                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit d gpu                     | 2 submitted slots, 2 launched, accepted 2, launch 2.1 on 0
           redo 9 e of=test gpu             | refused unavailable
      """)
  }

  @Test func `one that is passed over can be cancelled, and the next comes in its place`() {
    Scenario.play(
      """
      slots 2
      0s   settings test slots=1            |
           submit a of=test                 | 1 submitted slots, 1 launched, accepted 1, launch 1.1
           submit b of=test                 | 2 submitted slots, accepted 2
           submit c of=test                 | 3 submitted slots, accepted 3
           queue                            | 2 3
           cancel 2                         | 2 ended cancelled user, done 2
      1s   finished 1 success               | 1 ended succeeded, 3 launched, launch 3.1
      """)
  }
}

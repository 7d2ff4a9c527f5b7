"""When to read the table: WAIT, HAND, STABLE, READ, then COMMIT or ASK. Pure logic, fed with numbers and times.

WAIT: the table is as committed. HAND: something moves or reaches over it. STABLE: all is calm, but not for long enough.
READ: frames are read and added up. COMMIT: the reading was believed, for one step. ASK: a person should look; the
question is withdrawn if the table changes again.
"""

from __future__ import annotations

from dataclasses import dataclass

from domino_vision.settle.samples import Reason, Sample, SettleState, Transition

COVERED = "tiles_covered"
"""Code of a verdict: tiles are missing below something that lies over the table."""


@dataclass(frozen=True, slots=True)
class SettleOptions:
    """Times in seconds, shares of the table region."""

    rest_s: float = 0.35
    """Calm for so long, the table is at rest; a tile that is still being slid does not stop for that long."""
    still: float = 0.004
    """Motion up to this share is noise."""
    changed: float = 0.006
    """A change up to this share is noise."""
    tile: float = 0.0006
    """A connected change beyond this share may be a tile: of a whole picture one covers far less than `changed`."""
    glance_s: float = 2.0
    """Such a change alone is looked at once the table was at rest for so long, and no more often than that."""
    light: float = 0.06
    """Brightness that differs by more than this, everywhere, is a change of light."""
    shift_px: float = 1.5
    """The camera was pushed if the picture moved by more than this."""
    reads: int = 2
    """So many frames are read before a sure reading is committed, if the first alone is not beyond doubt."""
    most_reads: int = 6
    """After so many frames that leave doubt, a person is asked."""
    long_hand_s: float = 15.0
    """A hand that stays this long is told of; nothing is committed meanwhile."""
    reread_s: float = 60.0
    """At rest, the table is read again now and then, so that nothing is missed for good; 0 for never."""
    still_hand_s: float = 1.0
    """Where something lies over the table and does not move for so long, the table is read all the same."""
    covered_s: float = 5.0
    """If tiles are missing then, they are taken to be covered, and for gone only after so long without motion there;
    backs seen there are taken for fingers as long."""
    gap_s: float = 2.0
    """No frame for so long: the source stalled, and the table must come to rest anew."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of reading one more frame.

    Attributes:
        sure: whether the reading may be believed.
        certain: whether one look is enough.
        reason: why, or what is in doubt.
    """

    sure: bool
    certain: bool
    reason: Reason


class SettleMachine:
    """The states of one table. Feed every frame to `see`; in READ, read a frame and tell `read_done`."""

    def __init__(self, options: SettleOptions | None = None) -> None:
        """Start by reading the table as it is found."""
        self.options = options or SettleOptions()
        self.state = SettleState.STABLE
        self.reason = Reason.of("start")
        self.since = 0.0
        self.reads = 0
        self.calm_since: float | None = None
        self.hand_left_at: float | None = None
        self._last_at: float | None = None
        self._told_long = False
        self._committed_at: float | None = None
        self._unmoved_since: float | None = None
        self._patience_s = self.options.still_hand_s

    def see(self, sample: Sample) -> tuple[Transition, ...]:
        """Take in a frame; return the changes of state and the news, in order.

        Frames must come in order; one that is older than the last is ignored.
        """
        if self._last_at is not None and sample.at < self._last_at:
            return ()
        found: list[Transition] = []
        stalled = self._last_at is not None and sample.at - self._last_at > self.options.gap_s
        self._last_at = sample.at
        if stalled:
            self.calm_since = None
        if self.state is SettleState.COMMIT:
            found.append(self._enter(SettleState.WAIT, sample.at, Reason.of("at_rest")))
        if sample.dark or sample.motion > self.options.still:
            self._unmoved_since = None
        elif self._unmoved_since is None or stalled:
            self._unmoved_since = sample.at
        busy = self._busy(sample)
        if busy is not None:
            self.calm_since = None
        elif self.calm_since is None:
            self.calm_since = sample.at
        found += self._step(sample, busy)
        return tuple(found)

    def read_done(self, verdict: Verdict, at: float) -> tuple[Transition, ...]:
        """Take in what came of reading one more frame in READ; in other states it comes too late and is ignored."""
        if self.state is not SettleState.READ:
            return ()
        if verdict.reason.code == COVERED:
            self._patience_s = self.options.covered_s
            return (self._enter(SettleState.HAND, at, verdict.reason),)
        self.reads += 1
        enough = verdict.certain or self.reads >= self.options.reads
        if verdict.sure and enough:
            self._committed_at = at
            self._patience_s = self.options.still_hand_s
            return (self._enter(SettleState.COMMIT, at, verdict.reason),)
        if not verdict.sure and self.reads >= self.options.most_reads:
            return (self._enter(SettleState.ASK, at, verdict.reason),)
        return ()

    def answered(self, at: float) -> tuple[Transition, ...]:
        """A person answered the question: the table is read once more, with what was told."""
        if self.state is not SettleState.ASK:
            return ()
        return (self._enter(SettleState.READ, at, Reason.of("answered")),)

    def accepted(self, at: float) -> None:
        """A person said that the reading is right, and it is committed: the table is at rest from the next frame on."""
        self._committed_at, self._patience_s = at, self.options.still_hand_s
        self._enter(SettleState.COMMIT, at, Reason.of("accepted"))

    def reread(self, at: float, why: str = "told_to") -> tuple[Transition, ...]:
        """Read the table again as soon as it is at rest."""
        if self.state in (SettleState.READ, SettleState.HAND):
            return ()
        return (self._enter(SettleState.STABLE, at, Reason.of(why)),)

    @property
    def waits_for_cover(self) -> bool:
        """Whether missing tiles may still be covered by what lies over the table."""
        return self._patience_s < self.options.covered_s

    @property
    def delay_s(self) -> float | None:
        """Seconds from the last motion to the last commit; None before the first."""
        if self._committed_at is None or self.hand_left_at is None:
            return None
        return max(0.0, self._committed_at - self.hand_left_at)

    def _busy(self, sample: Sample) -> Reason | None:
        """Return why the table is not at rest in a frame."""
        if sample.dark:
            return Reason.of("no_picture")
        unmoved_s = 0.0 if self._unmoved_since is None else sample.at - self._unmoved_since
        if sample.hand and max(unmoved_s, sample.stays_s) < self._patience_s:
            return Reason.of("hand", covered=round(sample.covered, 3))
        if sample.motion > self.options.still:
            return Reason.of("motion", share=round(sample.motion, 4))
        return None

    def _step(self, sample: Sample, busy: Reason | None) -> list[Transition]:
        if self.state is SettleState.HAND:
            return self._in_hand(sample, busy)
        if busy is not None:
            self._told_long = False
            return [self._enter(SettleState.HAND, sample.at, busy)]
        if self.state is SettleState.WAIT:
            return self._waiting(sample)
        if self.state is SettleState.STABLE and self._rested(sample.at):
            return [self._enter(SettleState.READ, sample.at, self.reason)]
        return []

    def _in_hand(self, sample: Sample, busy: Reason | None) -> list[Transition]:
        if busy is None:
            self.hand_left_at = sample.at
            why = (
                "picture_back"
                if self.reason.code == "no_picture"
                else "something_stays"
                if sample.hand
                else "hand_left"
            )
            return [
                self._enter(SettleState.STABLE, sample.at, Reason.of(why, seconds=round(sample.at - self.since, 2)))
            ]
        if not self._told_long and sample.at - self.since > self.options.long_hand_s:
            self._told_long = True
            why = "no_picture" if busy.code == "no_picture" else "hand_stays"
            reason = Reason.of(why, seconds=round(sample.at - self.since, 1))
            return [Transition(sample.at, self.state, self.state, reason)]
        return []

    def _waiting(self, sample: Sample) -> list[Transition]:
        options = self.options
        if sample.shift_px > options.shift_px:
            reason = Reason.of("camera_moved", pixels=round(sample.shift_px, 1))
            return [self._enter(SettleState.STABLE, sample.at, reason)]
        small = sample.covered > options.tile and sample.at - self.since > options.glance_s
        if sample.changed > options.changed or small:
            self.hand_left_at = sample.at
            reason = Reason.of("table_changed", share=round(sample.changed, 4))
            return [self._enter(SettleState.STABLE, sample.at, reason)]
        if abs(sample.gain - 1) > options.light:
            reason = Reason.of("light_changed", gain=round(sample.gain, 3))
            return [Transition(sample.at, self.state, self.state, reason)]
        if options.reread_s and sample.at - self.since > options.reread_s:
            return [self._enter(SettleState.STABLE, sample.at, Reason.of("look_again"))]
        return []

    def _rested(self, at: float) -> bool:
        return self.calm_since is not None and at - self.calm_since >= self.options.rest_s

    def _enter(self, state: SettleState, at: float, reason: Reason) -> Transition:
        transition = Transition(at, self.state, state, reason)
        self.state, self.reason, self.since = state, reason, at
        if state in (SettleState.READ, SettleState.HAND):
            self.reads = 0
        return transition

"""The state machine of the table at rest, fed with numbers alone."""

import pytest

from domino_vision.settle import Reason, Sample, SettleMachine, SettleOptions, SettleState, Verdict

SURE = Verdict(sure=True, certain=True, reason=Reason.of("tiles_changed"))
UNSURE = Verdict(sure=False, certain=False, reason=Reason.of("new_tile_unsure"))
COVERED = Verdict(sure=False, certain=False, reason=Reason.of("tiles_covered"))


def drive(machine, start, seconds, fps=15.0, verdict=SURE, **sample):
    """Feed equal samples for some seconds; every READ is answered with a verdict. Returns time and transitions."""
    found, at = [], start
    for _ in range(round(seconds * fps)):
        found += machine.see(Sample(at, **sample))
        if machine.state is SettleState.READ:
            found += machine.read_done(verdict, at)
        at += 1 / fps
    return at, found


def states(transitions):
    return [str(transition.state) for transition in transitions]


def settled():
    """A machine that has committed and waits, and the time."""
    machine = SettleMachine()
    at, _ = drive(machine, 0.0, 1.0)
    assert machine.state is SettleState.WAIT
    return machine, at


def test_a_table_at_rest_is_read_and_committed_once():
    """From the start a calm table is read, committed and then waited at, without further reading."""
    machine = SettleMachine()
    _, found = drive(machine, 0.0, 5.0)
    assert states(found) == ["read", "commit", "wait"]
    assert machine.reason.code == "at_rest"


def test_a_hand_is_waited_for_and_the_commit_comes_within_a_second():
    """HAND lasts while it moves; after it has left, STABLE, READ and COMMIT take less than a second at 15 fps."""
    machine, at = settled()
    at, found = drive(machine, at, 1.0, motion=0.05, hand=True, changed=0.1)
    assert states(found) == ["hand"]
    left = at
    at, found = drive(machine, at, 1.5, changed=0.02)
    assert states(found)[:3] == ["stable", "read", "commit"]
    assert found[2].at - left < 1.0
    assert machine.delay_s is not None
    assert machine.delay_s < 1.0


def test_a_tile_that_still_slides_is_not_read():
    """Motion interrupted for less than the rest time never leads to a reading."""
    machine, at = settled()
    found = []
    for _ in range(10):
        at, moving = drive(machine, at, 0.2, motion=0.02, changed=0.02)
        at, calm = drive(machine, at, 0.2, changed=0.02)
        found += moving + calm
    assert "read" not in states(found)


def test_motion_during_reading_breaks_it_off():
    """In READ a moving frame leads back to HAND, and the verdict that comes late is ignored."""
    machine, at = settled()
    machine.see(Sample(at, motion=0.1))
    for step in range(12):
        machine.see(Sample(at + 0.1 + step / 15))
        if machine.state is SettleState.READ:
            break
    assert machine.state is SettleState.READ
    assert states(machine.see(Sample(at + 2.0, motion=0.2))) == ["hand"]
    assert machine.read_done(SURE, at + 2.1) == ()
    assert machine.state is SettleState.HAND


def test_light_is_told_and_nothing_is_read():
    """A change of brightness alone is news within WAIT."""
    machine, at = settled()
    found = machine.see(Sample(at, gain=0.8))
    assert [(str(t.state), t.reason.code) for t in found] == [("wait", "light_changed")]
    assert dict(found[0].reason.params)["gain"] == pytest.approx(0.8)


def test_a_pushed_camera_is_read_anew_for_that_reason():
    """A shift of the whole picture leads to a reading whose reason is the camera."""
    machine, at = settled()
    found = machine.see(Sample(at, shift_px=12.0, changed=0.3))
    assert found[0].reason.code == "camera_moved"
    assert machine.state is SettleState.STABLE


def test_doubt_is_read_more_often_and_then_asked_about():
    """An unsure reading is repeated up to the limit; then a person is asked, and an answer reads once more."""
    machine, at = settled()
    at, _ = drive(machine, at, 0.3, motion=0.1)
    at, found = drive(machine, at, 2.0, verdict=UNSURE, changed=0.02)
    assert states(found)[-1] == "ask"
    assert machine.reads == machine.options.most_reads
    assert states(machine.answered(at)) == ["read"]
    assert states(machine.read_done(SURE, at)) == ["commit"]


def test_a_question_is_withdrawn_when_the_table_changes():
    """A hand over the table ends ASK; the table is read afresh afterwards."""
    machine, at = settled()
    at, _ = drive(machine, at, 0.3, motion=0.1)
    at, _ = drive(machine, at, 2.0, verdict=UNSURE, changed=0.02)
    assert machine.state is SettleState.ASK
    at, found = drive(machine, at, 0.4, motion=0.1, hand=True)
    assert states(found) == ["hand"]
    _, found = drive(machine, at, 1.0)
    assert "commit" in states(found)


def test_one_certain_look_is_enough_and_a_plain_one_is_repeated():
    """A reading that is sure but not certain needs as many looks as the options say."""
    machine = SettleMachine(SettleOptions(reads=3))
    verdict = Verdict(sure=True, certain=False, reason=Reason.of("tiles_changed"))
    _, found = drive(machine, 0.0, 0.4, verdict=verdict)
    assert machine.reads < 3
    assert "commit" not in states(found)
    _, found = drive(machine, 0.4, 1.0, verdict=verdict)
    assert "commit" in states(found)


def test_a_long_visit_is_told_of_once():
    """Somebody who leans over the table for a minute is told of, and nothing is committed meanwhile."""
    machine, at = settled()
    at, found = drive(machine, at, 60.0, motion=0.05, hand=True, covered=0.4)
    assert [t.reason.code for t in found] == ["hand", "hand_stays"]
    _, found = drive(machine, at, 1.0)
    assert "commit" in states(found)


def test_black_frames_have_a_name_and_a_way_on():
    """Without a picture the machine waits in HAND with the reason, and reads when the picture is back."""
    machine, at = settled()
    at, found = drive(machine, at, 20.0, dark=True)
    assert [t.reason.code for t in found] == ["no_picture", "no_picture"]
    _, found = drive(machine, at, 1.0)
    assert found[0].reason.code == "picture_back"
    assert machine.state is SettleState.WAIT


def test_a_thing_left_on_the_table_is_no_hand_for_ever():
    """What lies over the table without motion is read around after a while."""
    machine, at = settled()
    _, found = drive(machine, at, 4.0, hand=True, covered=0.2, changed=0.2)
    assert "commit" in states(found)
    assert "something_stays" in [t.reason.code for t in found]


def test_tiles_below_a_resting_arm_are_waited_for():
    """If tiles are missing below what lies there, the machine goes back to HAND and is more patient."""
    machine, at = settled()
    at, found = drive(machine, at, 2.0, verdict=COVERED, hand=True, changed=0.2)
    assert found[-1].reason.code == "tiles_covered"
    assert machine.state is SettleState.HAND
    assert not machine.waits_for_cover
    at, found = drive(machine, at, 2.0, hand=True, changed=0.2)
    assert "commit" not in states(found)
    _, found = drive(machine, at, 4.0, hand=True, changed=0.2)
    assert "commit" in states(found)


def test_what_stays_is_read_around_while_others_play_elsewhere():
    """Arms that come and go elsewhere do not put off for ever what lies over the table unmoved."""
    machine, at = settled()
    at, _ = drive(machine, at, 2.0, verdict=COVERED, hand=True, changed=0.2)
    assert not machine.waits_for_cover
    lain, found = 2.0, []
    for _ in range(4):
        at, more = drive(machine, at, 1.0, motion=0.05, hand=True, changed=0.3)
        found += more
        lain += 2.0
        at, more = drive(machine, at, 1.0, hand=True, changed=0.2, stays_s=lain)
        found += more
    assert "commit" in states(found)


def test_a_camera_of_one_frame_a_second_works():
    """Frames a second apart lead to a commit two frames after the hand left."""
    machine = SettleMachine()
    at, _ = drive(machine, 0.0, 4.0, fps=1.0)
    at, _ = drive(machine, at, 2.0, fps=1.0, motion=0.1, hand=True)
    _, found = drive(machine, at, 3.0, fps=1.0, changed=0.02)
    assert "commit" in states(found)


def test_frames_out_of_order_are_ignored():
    """A frame older than the last one changes nothing."""
    machine, at = settled()
    assert machine.see(Sample(at - 5.0, motion=1.0, hand=True)) == ()
    assert machine.state is SettleState.WAIT


def test_a_stalled_source_must_come_to_rest_anew():
    """After a gap without frames calm is measured from the first new frame on."""
    machine, at = settled()
    at, _ = drive(machine, at, 0.3, motion=0.1)
    machine.see(Sample(at))
    machine.see(Sample(at + 10.0))
    assert machine.state is SettleState.STABLE


def test_the_table_is_looked_at_again_now_and_then():
    """A long idle table is read again, so that nothing is missed for good; 0 switches that off."""
    machine = SettleMachine(SettleOptions(reread_s=30.0))
    _, found = drive(machine, 0.0, 40.0, fps=2.0)
    assert states(found).count("commit") == 2
    machine = SettleMachine(SettleOptions(reread_s=0.0))
    _, found = drive(machine, 0.0, 200.0, fps=1.0)
    assert states(found).count("commit") == 1


def test_a_change_as_small_as_a_tile_is_looked_at_but_not_all_the_time():
    """One tile in a whole picture changes less than noise may: it is read after two seconds, scattered noise is not."""
    machine, at = settled()
    at, found = drive(machine, at, 1.5, changed=0.0015, covered=0.0012)
    assert found == []
    at, found = drive(machine, at, 4.0, changed=0.0015, covered=0.0012)
    assert states(found)[:4] == ["stable", "read", "commit", "wait"]
    assert states(found).count("read") <= 2
    _, found = drive(machine, at, 10.0, changed=0.005, covered=0.0003)
    assert found == []

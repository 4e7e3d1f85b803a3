"""The numbers of explorers are those of the plain engine (lib2048/learning.py)."""

import numpy as np
import pytest

from lib2048 import NTupleNetwork, play, train
from lib2048.board import _spawn, slide
from lib2048.learning import (
    GOLDEN,
    Rule,
    estimate,
    mix,
    new_episode,
    play_and_learn,
    select_best_move,
    spawn_mean,
    update_episode,
)
from lib2048.plain_network import plain_network
from workbook import explore
from workbook.explorers.backup import Learner, Moves, last_moves, plain_part, telling_cells
from workbook.explorers.choose import opinion

PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5))


def trained(kind):
    net = NTupleNetwork(PATTERNS, values=kind)
    train(net, 60, seed=1, progress=False)
    return net


@pytest.fixture(scope="module")
def nets():
    """A trained network of each kind, and a game of each."""
    both = {kind: trained(kind) for kind in ("afterstate", "state")}
    return {kind: (net, play(net, seed=2)) for kind, net in both.items()}


@pytest.mark.parametrize("kind", ["afterstate", "state"])
def test_backward_is_the_plain_engine_s_update_episode(nets, kind):
    """Three passes over the last moves, to the bit, weights and values."""
    net, trace = nets[kind]
    moves = last_moves(trace, 9)
    learner = Learner(plain_part(net, moves.learned(kind)), moves, 0.2)
    engine = plain_network(net)
    episode = new_episode()
    episode.boards[:9] = moves.learned(kind)
    episode.rewards[:9] = moves.rewards
    rule = Rule(alpha=0.2 / net.lookups)
    for _ in range(3):
        made = learner.backward()
        last = update_episode(engine, rule, episode, 9, trace.boards[-1])
        assert made[-1].after == last
    found = [estimate(engine, np.uint64(board)) for board in moves.learned(kind)]
    assert learner.values() == found
    assert [step.t for step in made] == list(range(8, -1, -1))


def forward_game(net, rule, board, random):
    """The moves of a game that is learned from while it is played, as play_and_learn plays it."""
    states = [int(board)]
    afterstates = []
    actions = []
    rewards = []
    while True:
        action, afterstate, reward, _ = select_best_move(
            net, np.uint64(states[-1]), np.float32(rule.p4)
        )
        if action < 0:
            return Moves(states, afterstates, actions, rewards)
        afterstates.append(int(afterstate))
        actions.append(action)
        rewards.append(int(reward))
        random = np.uint64((int(random) + int(GOLDEN)) % 2**64)
        word = np.uint64(mix(random))
        states.append(int(_spawn(np.uint64(afterstate), word, rule.fours)))


@pytest.mark.parametrize("kind", ["afterstate", "state"])
def test_forward_is_the_plain_engine_s_play_and_learn(nets, kind):
    """The end of a game; the step is so small that learning does not change which moves follow."""
    net, trace = nets[kind]
    rule = Rule(alpha=1e-4 / net.lookups)
    board = np.uint64(trace.boards[-12])
    random = np.uint64(5)
    moves = forward_game(plain_network(net), rule, board, random)
    engine = plain_network(net)
    count, score, dead, last = play_and_learn(engine, rule, board, random)
    assert (count, score, int(dead)) == (len(moves.actions), sum(moves.rewards), moves.states[-1])
    learner = Learner(plain_part(net, moves.learned(kind)), moves, 1e-4)
    made = learner.forward()
    assert made[-1].after == last
    found = [estimate(engine, np.uint64(board)) for board in moves.learned(kind)]
    assert learner.values() == found


@pytest.mark.parametrize("kind", ["afterstate", "state"])
def test_targets_are_those_of_the_learning_rules(nets, kind):
    """Written out once more, with nothing but rewards and values."""
    net, trace = nets[kind]
    stepper = explore.backup(trace, net, alpha=0.1, moves=5, passes=2)
    rewards = trace.rewards[-5:].tolist()
    for order, run in stepper.runs[kind].items():
        values = run["start"]
        for step in run["passes"][0]:
            if kind == "state":
                target = rewards[step.t] + (values[step.t + 1] if step.t < 4 else 0)
            else:
                target = rewards[step.t + 1] + values[step.t + 1] if step.t < 4 else 0
            assert step.target == pytest.approx(target, rel=1e-6, abs=1e-4), order
            assert step.before == values[step.t]
            assert step.error == pytest.approx(target - step.before, rel=1e-5, abs=1e-3)
            values = step.values
            assert step.after == values[step.t]


def test_each_board_has_a_weight_of_its_own_unless_a_network_is_given():
    stepper = explore.backup(alpha=0.25, moves=5, passes=1)
    for of_kind in stepper.runs.values():
        for run in of_kind.values():
            values = run["start"]
            for step in run["passes"][0]:
                assert step.after == pytest.approx(step.before + 0.25 * step.error)
                others = [v for t, v in enumerate(step.values) if t != step.t]
                assert others == [v for t, v in enumerate(values) if t != step.t]
                values = step.values


def test_the_network_stays_as_it_is(nets):
    net, trace = nets["afterstate"]
    afterstate, _ = slide(int(trace.boards[-2]), int(trace.actions[-1]))
    before = net.value(afterstate)
    explore.backup(trace, net)
    assert net.value(afterstate) == before


def test_both_kinds_are_shown_with_two_networks(nets):
    both = [net for net, _ in nets.values()]
    stepper = explore.backup(nets["state"][1], both, moves=2, passes=1)
    assert list(stepper.state["runs"]) == ["afterstate", "state"]


def test_cells_that_tell_boards_apart():
    with pytest.raises(ValueError, match="apart"):
        telling_cells([1 << 4 * cell for cell in range(9)])


@pytest.mark.parametrize(
    "wrong, why",
    [
        (dict(trace=7), "7"),
        (dict(moves=0), "0"),
        (dict(passes=99), "99"),
        (dict(alpha=-1), "-1"),
        (dict(net=[3]), "3"),
    ],
)
def test_what_cannot_be_backed_up_is_refused(wrong, why):
    with pytest.raises(ValueError, match=why):
        explore.backup(**wrong)


def test_a_game_that_was_stopped_is_refused(nets):
    _, trace = nets["state"]
    stopped = type(trace)(
        trace.boards[:5], trace.actions[:4], trace.rewards[:4], trace.values[:4], interrupted=True
    )
    with pytest.raises(ValueError, match="before its end"):
        explore.backup(stopped)


# Action selection


@pytest.mark.parametrize("kind", ["afterstate", "state"])
@pytest.mark.parametrize("p4", [0.1, 0.5])
def test_worths_are_those_of_select_best_move(nets, kind, p4):
    net, trace = nets[kind]
    engine = plain_network(net)
    for board in trace.boards.tolist():
        found = opinion(net, board, p4)
        action, _, reward, worth = select_best_move(engine, np.uint64(board), np.float32(p4))
        assert found["best"] == (None if action < 0 else action)
        if action >= 0:
            best = found["actions"][action]
            assert (best["reward"], best["worth"]) == (reward, worth)


def test_the_mean_over_new_tiles_is_that_of_spawn_mean(nets):
    """Also where the next board may be dead, near the end of the game."""
    net, trace = nets["state"]
    engine = plain_network(net)
    for board, action in zip(trace.boards[-20:].tolist(), trace.actions[-19:].tolist()):
        found = opinion(net, board, 0.1)
        afterstate, _ = slide(board, action)
        if found["actions"][action] is None:
            continue
        mean = spawn_mean(engine, np.uint64(afterstate), np.float32(0.1))
        assert found["actions"][action]["future"] == pytest.approx(mean, rel=1e-5, abs=1e-2)


def test_what_can_be_chosen_from(nets):
    after, state = (net for net, _ in nets.values())
    chooser = explore.choose([after, state], nets["state"][1])
    assert chooser.state["kinds"] == ["afterstate", "state"] and len(chooser.boards) == 6
    assert chooser.boards[-1] == nets["state"][1].boards[-2], "the last board that is not dead"
    assert len(explore.choose(after, [0x11, 0x12]).boards) == 2
    for wrong in ([after, after], [], [3], "net"):
        with pytest.raises(ValueError):
            explore.choose(wrong)
    with pytest.raises(ValueError, match="-5"):
        explore.choose(after, -5)


def test_boards_of_the_reader_are_valued_by_python(nets):
    net, _ = nets["state"]
    chooser = explore.choose(net, 0x1122)
    sent = []
    chooser.send = sent.append
    chooser._answer(chooser, {"id": "1", "board": "0000000000000211"}, [])
    (found,) = sent[0]["opinions"]
    assert found["best"] == opinion(net, 0x211, net.p4)["best"]
    chooser._answer(chooser, {"id": "2", "board": "what"}, [])
    assert sent[1]["id"] == "2" and "what" in sent[1]["error"]
    chooser.close()
    chooser._answer(chooser, {"id": "3", "board": "11"}, [])
    assert "closed" in sent[2]["error"]

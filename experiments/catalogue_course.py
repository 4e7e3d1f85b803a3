"""What the agent of the Python course is worth, and what it costs."""

from experiments.agents import grade_agent
from experiments.entries import experiment
from experiments.piece import piece

SEED = 1


@experiment(
    "course-agent",
    "How does the written agent play, looking 1, 2 or 3 plies ahead or searching a tree?",
    small=dict(share=20, moves=300),
    full=dict(share=1, moves=None),
    seconds=(20, 500),
    record="full",
)
def course_agent(share, moves):
    players = {
        "1 ply": (60, dict(plies=1)),
        "2 plies": (40, dict(plies=2)),
        "3 plies": (8, dict(plies=3)),
        "TD-MCTS, 40 trips": (8, dict(search="td-mcts", trips=40)),
    }
    for name, (games, options) in players.items():
        yield piece(
            grade_agent,
            tags={"player": name},
            evaluation=max(2, games // share),
            play_seed=SEED,
            moves=moves,
            **options,
        )

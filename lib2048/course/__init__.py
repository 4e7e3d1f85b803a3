"""Taking a network along: an agent for courses in which 2048 is played in Python.

    from lib2048 import course

    course.write_agent("student_agent.py")                     with the network that comes along
    course.write_agent("student_agent.py", net, plies=3)       with yours, three moves ahead
    course.write_agent("student_agent.py", search="td-mcts", seconds=0.05)

The file that is written needs numpy and Python 3.8 or newer, and nothing else: the network is in
it, as text. It has a function `get_action(state, score)`, which takes a board as the environment of
such courses has it, four rows of tiles 0, 2, 4, ..., and answers with a number from 0 to 3. What
these numbers do differs from course to course, so it is an option (`actions`), and the file looks
whether it is true: when it is imported it plays some moves in the environment, if that stands in
the same file as a class `Game2048Env`, or if `environment` says where it is, and raises an error
that names the difference if there is one.

With the network that comes along, a file of 2.6 MB, a move takes about 0.05 milliseconds when it
looks one ply ahead, 0.3 with two and 1.5 with three (one core of an AMD EPYC); the experiment
"course-agent" says how well it plays so.

What is written is course/agent.py, with other settings and another network. That file is meant to
be read: conventions, game, network, expectimax, tree search and self-check, one after the other.
"""

from lib2048.course.writing import DIRECTIONS, SEARCHES, STATES, AgentFile, write_agent

__all__ = ["DIRECTIONS", "SEARCHES", "STATES", "AgentFile", "write_agent"]

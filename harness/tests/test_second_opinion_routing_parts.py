"""What the second routing oracle is made of: the document it reads, its graph, its table, its library."""

import itertools
import subprocess
import sys

from mqconform.harness.judge.independent.routing_graph import SiteGraph
from mqconform.harness.judge.independent.routing_relations import Relations, answers_for


def test_without_its_library_the_second_opinion_says_what_to_install():
    code = (
        "import sys; sys.modules['rustworkx'] = None\n"
        "from mqconform.harness.judge.independent.routing_opinion import allowed_next_hops\n"
        "allowed_next_hops({}, 'a', 'b')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "SecondOpinionMissing: " in run.stderr
    assert "pip install '.[second-opinion]'" in run.stderr


def test_a_graph_of_sites_has_no_next_site_from_a_site_it_does_not_hold():
    graph = SiteGraph(frozenset({"a", "b"}), {frozenset({"a", "b"}): 1, frozenset({"a"}): 1, frozenset({"b", "x"}): 1})
    assert graph.next_sites("x", "a") == frozenset()
    assert graph.next_sites("a", "b") == {"b"}


def test_exactly_one_row_of_the_table_fits_whatever_the_relations():
    for flags in itertools.product([False, True], repeat=6):
        assert len(answers_for(Relations(*flags))) == 1

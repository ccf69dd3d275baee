"""Empty nodes come back, and collapsed again the graph is the same."""

from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.treebank.blocks.block import Block

from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.graphs.empty_nodes import empty_nodes_of, with_empty_nodes
from treewright.treebank.graphs.graph import sentence_graphs


def text_of(graph):
    rows = ["# text = x"]
    for number, arcs in enumerate(graph, 1):
        deps = "|".join(f"{head}:{relation}" for head, relation in arcs) or "_"
        rows.append("\t".join([str(number), "w", *"____", "0", "dep", deps, "A=b"]))
    return ("\n".join(rows) + "\n\n").encode()


def test_words_on_the_same_path_share_a_node():
    graph = [[(2, "nsubj"), (2, "conj>nsubj")], [(0, "root")], [(2, "conj>obj")], [(2, "conj>obj>nmod")]]
    words, nodes = empty_nodes_of(graph)
    assert words == [[("2", "nsubj"), ("0.1", "nsubj")], [("0", "root")], [("0.1", "obj")], [("3.1", "nmod")]]
    assert nodes == {"0.1": ("2", "conj"), "3.1": ("0.1", "obj")}


def test_the_text_is_valid_and_nothing_else_changes():
    block = Block(text_of([[(0, "root")], [(1, "conj>obj")], [(1, "x")]]) * 2, CONLLU, "")
    lines = with_empty_nodes(block).decode().split("\n")
    assert lines[:5] == [
        "# text = x",
        "1\tw\t_\t_\t_\t_\t0\tdep\t0:root\tA=b",
        "1.1\t_\t_\t_\t_\t_\t_\t_\t1:conj\t_",
        "2\tw\t_\t_\t_\t_\t0\tdep\t1.1:obj\tA=b",
        "3\tw\t_\t_\t_\t_\t0\tdep\t1:x\tA=b",
    ]
    assert lines[6:12] == lines[:6]


def test_a_node_stands_before_the_multiword_token_of_the_next_word():
    data = text_of([[(0, "root")], [(1, "conj>obj")], [(1, "x")]])
    data = data.replace(b"\n2\t", b"\n2-3\tww" + b"\t_" * 8 + b"\n2\t")
    numbers = [line.split(b"\t")[0] for line in with_empty_nodes(Block(data, CONLLU, "")).split(b"\n")]
    assert numbers[1:6] == [b"1", b"1.1", b"2-3", b"2", b"3"]


def test_without_paths_the_bytes_stay():
    data = text_of([[(0, "root")], [(1, "a>b".replace(">", "-"))]])
    assert with_empty_nodes(Block(data, CONLLU, "")) == data


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 6))
    relation = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(">".join)
    arcs = st.lists(st.tuples(st.integers(0, n), relation), max_size=3, unique=True)
    return [draw(arcs) for _ in range(n)]


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_collapsed_again_the_graph_is_the_same(graph):
    (back,) = sentence_graphs(Block(with_empty_nodes(Block(text_of(graph), CONLLU, "")), CONLLU, ""))
    assert list(map(sorted, back)) == list(map(sorted, graph))

"""Empty nodes come back, and collapsed again the graph is the same."""

from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.treebank.blocks.block import Block

from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.graphs.empty_nodes import copied_relations, empty_nodes_of, with_empty_nodes
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
    assert words == [[("2", "nsubj"), ("2.1", "nsubj")], [("0", "root")], [("2.1", "obj")], [("3.1", "nmod")]]
    assert nodes == {"2.1": [("2", "conj")], "3.1": [("2.1", "obj")]}


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


def test_paths_with_the_same_ends_share_a_node():
    graph = [[(0, "root")], [(1, "conj>obj"), (3, "advcl>obj")], [(1, "x")], [(1, "conj>obl"), (3, "advcl>obl")]]
    words, nodes = empty_nodes_of(graph)
    assert nodes == {"1.1": [("1", "conj"), ("3", "advcl")]}
    assert [arcs[0] for arcs in words] == [("0", "root"), ("1.1", "obj"), ("1", "x"), ("1.1", "obl")]
    apart = [*graph[:3], [(1, "conj>obl")]]  # they lack an end in common
    assert empty_nodes_of(apart)[1] == {"1.1": [("1", "conj")], "1.2": [("3", "advcl")]}


GAPPED = """\
1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\t_
2\tsees\tsee\tVERB\t_\tTense=Pres\t0\troot\t0:root\t_
3\tBob\tBob\tPROPN\t_\t_\t2\tconj\t4.1:nsubj\t_
4\t,\t,\tPUNCT\t_\t_\t3\tpunct\t3:punct\t_
4.1\tsees\tsee\tVERB\t_\tTense=Pres\t_\t_\t2:conj\tCopyOf=2
5\tfigs\tfig\tNOUN\t_\t_\t3\torphan\t4.1:obj\t_
5.1\t_\tto\tADP\t_\t_\t_\t_\t5:case\t_

"""


def test_nodes_repeat_their_heads_where_they_do_so_in_the_treebank():
    block = Block(GAPPED.encode(), CONLLU, "")
    assert copied_relations([block, block]) == ["conj"]
    collapsed = GAPPED.replace("4.1:", "2:conj>")
    bare = "".join(line for line in collapsed.splitlines(keepends=True) if "." not in line.split("\t")[0])
    back = with_empty_nodes(Block(bare.encode(), CONLLU, ""), copied=["conj"]).decode().split("\n")
    assert back[2] == "2.1\tsees\tsee\tVERB\t_\tTense=Pres\t_\t_\t2:conj\tCopyOf=2"
    assert back[3].split("\t")[8] == "2.1:nsubj"
    nameless = with_empty_nodes(Block(bare.encode(), CONLLU, "")).decode().split("\n")
    assert nameless[2] == "2.1" + "\t_" * 7 + "\t2:conj\t_"


def test_nodes_of_treebanks_without_words_repeat_nothing():
    bare = GAPPED.replace("4.1\tsees\tsee\tVERB", "4.1\t_\t_\t_")
    assert copied_relations([Block(bare.encode(), CONLLU, "")]) == []
    at_root = GAPPED.replace("\t2:conj\t", "\t0:root\t")
    assert copied_relations([Block(at_root.encode(), CONLLU, "")]) == []


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

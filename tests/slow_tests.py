"""The tests that `make quick` leaves out: those that need most of the time of the full run.

Each entry is a file, or a file and a test in it; test_quick.py finds entries that match nothing. To measure again:
`pytest --durations=60`.
"""

SLOW = (
    # commands in processes of their own, and documentation that runs them
    "test_docs.py::test_page_does_what_it_says",
    "cli/test_analyze.py",
    "cli/test_bad_input.py",
    "cli/test_beam_options.py",
    "cli/test_experiment.py",
    "cli/test_features.py",
    "cli/test_parse.py",
    "cli/test_show.py",
    "cli/test_trace.py",
    "cli/test_train.py",
    "experiments/test_runner.py",
    "text/test_command_line.py",
    "text/test_raw_text_scores.py",
    # networks that learn
    "neural/test_graphs.py::test_a_network_learns_graphs",
    "neural/test_move_training.py::test_a_network_learns_moves",
    "neural/test_move_training.py::test_a_network_learns_moves_of_graphs",
    "neural/test_move_training.py::test_the_same_seed_gives_the_same_model_and_a_training_goes_on",
    "neural/test_pretrained.py::test_a_network_looks_at_an_encoder",
    "neural/test_pretrained.py::test_a_network_looks_at_clusters",
    "neural/test_pretrained.py::test_a_network_looks_at_vectors",
    "neural/test_pretrained.py::test_vectors_of_words_are_the_means_of_their_pieces",
    # exhaustive search
    "exact/test_parser.py::test_all_methods_agree_and_bounds_hold",
    "exact/test_leaves.py",
    "oracles/test_larger_trees.py",
    "oracles/test_leaves.py",
    "oracles/test_nonprojective.py",
    "oracles/test_truth.py",
    # many random treebanks, trees, models
    "analysis/test_counts.py::test_confusions_are_those_of_a_count_by_hand",
    "analysis/test_counts.py::test_tables_are_those_of_a_count_by_hand",
    "evaluation/test_breakdown.py::test_by_distance",
    "evaluation/test_breakdown.py::test_by_relation",
    "evaluation/test_breakdown.py::test_rows_add_up_to_the_whole",
    "evaluation/test_official.py::test_borders_of_blocks_do_not_matter",
    "evaluation/test_official.py::test_equal_to_udeval_on_the_same_words",
    "evaluation/test_official.py::test_equal_to_udeval_whatever_the_tokenisation",
    "evaluation/test_official.py::test_several_roots_where_allowed",
    "evaluation/test_report.py::test_equal_to_plain_counting",
    "features/test_extractor.py::test_equal_keys_exactly_where_values_are_equal",
    "features/test_extractor.py::test_what_people_are_shown",
    "features/test_language.py::test_any_model_reads_back_what_it_prints",
    "parsing/test_model_file.py::test_digits_changed_in_the_header",
    "parsing/test_model_file.py::test_values_of_other_kinds_in_the_settings",
    "parsing/test_trees.py",
    "systems/test_complete_trees.py::test_every_parse_is_a_tree",
    "treebank/test_pseudo_projective.py::test_few_lifted_words_always_find_back_if_relations_differ",
    "treebank/test_writing.py::test_rearranging_equals_a_plain_conversion",
    # training
    "exact/test_adviser.py",
    "exact/test_parser.py::test_other_ways_to_learn",
    "parsing/test_beam.py::test_a_beam_of_one_is_greedy_parsing",
    "parsing/test_beam.py::test_best_trees_descend_and_differ",
    "parsing/test_fast_path.py::test_the_same_trees_on_both_paths",
    "training/test_batch.py::test_learners_learn_and_survive_a_file",
    "training/test_batch_combinations.py::test_what_is_allowed_trains",
    "training/test_beam_training.py::test_beams_learn_and_are_reproducible",
    "training/test_policies.py::test_policies_learn_and_are_reproducible",
    "training/test_sizes_of_sentences.py",
)

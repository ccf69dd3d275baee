"""What other tools call our options: spaCy, UDPipe, Stanza, MaltParser, scikit-learn, PyTorch."""

_THEIRS = {
    "batch_words": "batch batch_size",
    "beam": "beam_size beam_width",
    "dropout": "dropout_rate",
    "encoder": "bert bert_model pretrained_model transformer",
    "features": "feature_model templates",
    "hidden": "hidden_dim hidden_size",
    "iterations": "epochs max_epochs max_iter n_epochs n_iter num_epochs rounds",
    "layers": "n_layers num_layers",
    "learner_options": "learner_opts",
    "lifting": "projectivise projectivize",
    "policy": "oracle",
    "rate": "learning_rate lr",
    "pretrained": "charlm language_model lm",
    "raw": "raw_text",
    "seed": "random_seed random_state",
    "system": "algorithm parsing_algorithm transition_system",
    "threads": "n_jobs",
    "update": "early_update",
    "vectors": "embeddings pretrained_embeddings pretrained_vectors word_embeddings word_vectors",
}
#: their name → ours, as keyword, in TOML files and (with - for _) on the command line
SYNONYMS = {theirs: ours for ours, names in _THEIRS.items() for theirs in names.split()}

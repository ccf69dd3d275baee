"""What a network reads of words: vocabulary, numbers of values, pretrained vectors."""

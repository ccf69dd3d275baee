"""What the server speaks: UDPipe's, CoreNLP's and Arborator's interfaces, and our own."""

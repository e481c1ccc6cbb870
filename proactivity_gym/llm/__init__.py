"""What agents and judges share to talk to a model: client, prompt templates, reply reader, ledger, cache, mock server."""

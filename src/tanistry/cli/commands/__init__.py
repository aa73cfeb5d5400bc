"""One module per command; see `tanistry.cli.app` for what a module offers."""

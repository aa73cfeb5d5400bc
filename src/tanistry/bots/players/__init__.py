"""One module per bot; see `tanistry.bots` for what a module offers."""

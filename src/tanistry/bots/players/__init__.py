"""One module per bot, which names its class `BOT`; see `tanistry.bots.registry`."""

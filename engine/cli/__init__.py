"""The headless command line; `engine.cli.main.main` is its door."""

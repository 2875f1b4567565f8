"""Battlemat's engine: an encounter, its rules and its document, without a window."""

"""Battlemat's two windows; everything that knows Qt lives below here."""

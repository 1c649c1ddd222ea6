"""Scenes as SVG, PNG, GIF, text and words, and what displays share: picker, cursor, reviews."""

"""Scenes as SVG, PNG, GIF, text and words, and shared parts of displays: picker, cursor, review."""

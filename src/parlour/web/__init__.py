"""The web page: plain ES modules, styles, pictures and texts, served without a build."""

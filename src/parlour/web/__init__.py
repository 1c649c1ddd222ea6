"""The page: plain ES modules, styles and pictures, sent by the server as they are."""

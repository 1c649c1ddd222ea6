"""What every display shares and none owns: scenes in words and text, picking cells into actions."""

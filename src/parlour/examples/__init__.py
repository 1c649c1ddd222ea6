"""Whole games in one file each, to read and copy: `parlour play examples.nine_mens_morris`."""

from mypyc.build import mypycify
from setuptools import setup

SOURCES = ["src/my_game.py"]

setup(ext_modules=mypycify(["--strict", *SOURCES], opt_level="3", debug_level="0"))

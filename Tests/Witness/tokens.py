"""Splits GLSL text into tokens, which is all the syntax the witness needs to know."""

import re

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/|\\\n)
  | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?\w*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class Token:
    """One piece of the text: its kind (space, directive, number, word, other) and its spelling."""

    __slots__ = ("kind", "text")

    def __init__(self, kind, text):
        self.kind = kind
        self.text = text

    def __repr__(self):
        return f"{self.kind}:{self.text!r}"


def tokenize(text):
    """Returns the tokens of `text`; joined together their texts are `text` again."""
    return [Token(match.lastgroup, match.group()) for match in _TOKEN.finditer(text)]


def words(text):
    """Returns every identifier of `text`, comments excluded and directives included."""
    found = set()
    for token in tokenize(text):
        if token.kind == "word":
            found.add(token.text)
        elif token.kind == "directive":
            found.update(re.findall(r"[A-Za-z_]\w*", re.sub(r"//.*|/\*.*?\*/", "", token.text)))
    return found


def channels_used(text):
    """Returns the numbers of the channels that the shader mentions, in order."""
    found = words(text)
    return [n for n in range(4) if f"iChannel{n}" in found or f"iCh{n}" in found]

"""Rewrites a pass so that its arithmetic is rounded otherwise."""

from tokens import tokenize

MACROS = 0  # stands for the lines of all macros


def with_calls_changed(text, changes):
    """Wraps every call of a built-in function that `changes` names: `sin(x)` becomes `(sin(x) * 1.00000012)`."""
    tokens = tokenize(text)
    return _calls_changed(tokens, {name: change for name, change in changes.items() if name not in _defined(tokens)})


def with_products_changed(text, factor, spared=frozenset()):
    """Puts `factor` into every product and quotient but those of the lines `spared`, where integers are multiplied.

    `MACROS` among the lines spares all macros: compilers name the lines that use them.
    """
    result, line = [], 1
    for token in tokenize(text):
        if token.kind == "directive":
            head, body = _macro(token.text)
            is_changed = body and MACROS not in spared and line not in spared
            result.append(head + with_products_changed(body, factor) if is_changed else token.text)
        elif token.text in "*/" and token.kind == "other" and line not in spared:
            result.append(f"* {factor} {token.text}")
        else:
            result.append(token.text)
        line += token.text.count("\n")
    # The operator of `a *= b` follows its sign, so the factor has to go behind it.
    return "".join(result).replace(f"* {factor} *=", f"*= {factor} *").replace(f"* {factor} /=", f"/= {factor} *")


def _calls_changed(tokens, changes):
    result, index = [], 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind == "directive":
            head, body = _macro(token.text)
            result.append(head + (_calls_changed(tokenize(body), changes) if body else ""))
        elif token.text in changes and (end := _end_of_call(tokens, index)):
            inner = _calls_changed(tokens[index + 1 : end], changes)
            result.append(f"({token.text}{inner} {changes[token.text]})")
            index = end
            continue
        else:
            result.append(token.text)
        index += 1
    return "".join(result)


def _macro(text):
    """Splits a directive behind the name and parameters of a macro; other directives have no body."""
    words = text.split(None, 2)
    if not text.lstrip().startswith("#define") or len(words) < 3:
        return text, ""
    start = text.index(words[1], text.index("define") + 6) + len(words[1])
    if "(" in words[1] and ")" not in words[1]:
        start = text.index(")", start) + 1
    elif "(" in words[1]:
        start = text.index(")", text.index("(")) + 1
    return text[:start], text[start:]


def _end_of_call(tokens, index):
    """Returns the index behind the closing parenthesis of the call at `index`, or nothing if it is not a whole call."""
    depth = 0
    for position in range(index + 1, len(tokens)):
        token = tokens[position]
        if token.kind == "directive":
            return None
        if token.text == "(":
            depth += 1
        elif token.text == ")":
            depth -= 1
            if depth == 0:
                return position + 1
        if depth == 0 and token.kind != "space":
            return None
    return None


def _defined(tokens):
    """Returns the names that the author declares as functions, variables or macros: those are not built-ins here."""
    names, before = set(), None
    for token in tokens:
        if token.kind == "directive":
            words = token.text.replace("(", " ").split()
            if words[0] == "#define" and len(words) > 1:
                names.add(words[1])
        elif token.kind == "word" and before is not None and before.kind == "word" and before.text not in ("return", "else"):
            names.add(token.text)
        if token.kind != "space":
            before = token
    return names

"""Rewrites a pass so that what the language leaves undefined gets another value: unset variables, outside indices."""

from tokens import tokenize

FLOAT_TYPES = frozenset("float vec2 vec3 vec4 mat2 mat3 mat4 mat2x2 mat3x3 mat4x4".split())
INTEGER_TYPES = frozenset("int uint ivec2 ivec3 ivec4 uvec2 uvec3 uvec4".split())
VARIABLE_TYPES = FLOAT_TYPES | INTEGER_TYPES | {"bool"}

NEAREST_ELEMENT = "clamp(int({index}), 0, {array}.length() - 1)"
LAST_ELEMENT = "min(uint(int({index})), uint({array}.length() - 1))"

_QUALIFIERS = frozenset("highp mediump lowp precise".split())


def with_garbage(text, number):
    """Gives every variable and every `out` parameter that starts without a value one made of `number`."""
    tokens = tokenize(text)
    result, outputs, braces, parentheses, index, fresh = [], [], [], 0, 0, True
    struct = False
    while index < len(tokens):
        token = tokens[index]
        if not braces and token.text == "out":
            outputs.append(_output_at(tokens, index))
        if fresh and parentheses == 0 and "struct" not in braces and _declares(tokens, index):
            index, fills = _declaration(tokens, index, result, number)
            result.extend(fills if braces else [])
            continue
        result.append(token.text)
        if token.text == "struct":
            struct = True
        elif token.text == "{":
            braces.append("struct" if struct else "block")
            result.extend(f" {name} = {_garbage(kind, number)};" for kind, name in filter(None, outputs) if len(braces) == 1)
            outputs, struct = [], False
        elif token.text == "}" and braces:
            braces.pop()
        elif token.kind == "other" and token.text in "()":
            parentheses += 1 if token.text == "(" else -1
        elif token.text == ";" and not braces:
            outputs, struct = [], False
        if token.kind != "space" and token.text not in _QUALIFIERS:
            fresh = token.text in ("{", "}", ";") or token.kind == "directive"
        index += 1
    return "".join(result)


def with_indices(text, rule):
    """Replaces every index into an array of the author's by `rule`, which keeps it inside the array."""
    tokens = tokenize(text)
    return _indices_replaced(tokens, _arrays(tokens), rule)


def _garbage(kind, number):
    """Returns an expression of the type `kind` that is made of `number`."""
    if kind == "bool":
        return "true"
    return f"{kind}({int(abs(number)) + 3 if kind in INTEGER_TYPES else float(number)})"


def _declares(tokens, index):
    """Says whether a declaration of variables of a built-in type begins at `index`."""
    if tokens[index].text not in VARIABLE_TYPES:
        return False
    following = [token for token in tokens[index + 1 : index + 6] if token.kind != "space"][:2]
    return len(following) == 2 and following[0].kind == "word" and following[1].text in (",", ";", "=", "[")


def _output_at(tokens, index):
    """Returns type and name of the `out` parameter at `index`, unless it is an array or of a type of the author's."""
    words = [token for token in tokens[index + 1 : index + 12] if token.kind != "space" and token.text not in _QUALIFIERS]
    if len(words) > 2 and words[0].text in VARIABLE_TYPES and words[1].kind == "word" and words[2].text in ",)":
        return words[0].text, words[1].text
    return None


def _declaration(tokens, index, result, number):
    """Copies the declaration at `index` with a value for each variable that has none.

    Returns where it ends, and statements that fill the arrays among the variables, which cannot be given one value.
    """
    kind, depth, name, size, has_value, fills = tokens[index].text, 0, None, [], False, []
    result.append(kind)
    index += 1
    while index < len(tokens):
        token = tokens[index]
        if depth == 0 and token.text in (",", ";"):
            if name and not has_value and size:
                count, item = "".join(size), f"witness_index_{index}"
                fills.append(f" for (int {item} = 0; {item} < ({count}); {item}++) {name}[{item}] = {_garbage(kind, number)};")
            elif name and not has_value:
                result.append(f" = {_garbage(kind, number)}")
            name, size, has_value = None, [], False
        elif depth == 0 and token.kind == "word" and name is None:
            name = token.text
        elif depth == 0 and token.text == "=":
            has_value = True
        elif depth == 1 and not has_value and token.text != "]":
            size.append(token.text)
        if token.kind == "other" and token.text in "([{":
            depth += 1
        elif token.kind == "other" and token.text in ")]}":
            depth -= 1
        result.append(token.text)
        index += 1
        if (depth == 0 and token.text == ";") or depth < 0:
            break
    return index, fills


def _arrays(tokens):
    """Returns the names that are declared with a size behind them, or behind a type with a size."""
    solid = [token for token in tokens if token.kind != "space"]
    names = set()
    for before, token, behind in zip(solid, solid[1:], solid[2:]):
        if token.kind == "word" and before.kind == "word" and before.text != "return" and behind.text == "[":
            names.add(token.text)
        elif token.kind == "word" and before.text == "]" and behind.text in ("=", ";"):
            names.add(token.text)
    return names


def _indices_replaced(tokens, arrays, rule):
    result, index, before = [], 0, None
    while index < len(tokens):
        token = tokens[index]
        declared = before is not None and (before.kind == "word" and before.text != "return" or before.text == ".")
        bounds = _brackets(tokens, index + 1) if token.text in arrays and not declared else None
        if bounds:
            inner = _indices_replaced(tokens[bounds[0] + 1 : bounds[1]], arrays, rule)
            result.append(f"{token.text}[{rule.format(index=inner, array=token.text)}]")
            index = bounds[1] + 1
            before = tokens[bounds[1]]
            continue
        result.append(token.text)
        if token.kind != "space":
            before = token
        index += 1
    return "".join(result)


def _brackets(tokens, index):
    """Returns where the brackets that follow `index` begin and end, unless something else follows."""
    start, depth = None, 0
    for position in range(index, len(tokens)):
        text = tokens[position].text
        if tokens[position].kind == "space":
            continue
        if start is None and text != "[":
            return None
        start = position if start is None else start
        depth += (text == "[") - (text == "]")
        if depth == 0:
            return start, position
    return None

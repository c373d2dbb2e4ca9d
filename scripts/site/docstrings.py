"""Lets mkdocstrings show the docstrings of torsor: examples become code, indented passages stay as they are.

Docstrings are plain text with doctests, as help() prints them. In Markdown, ">>>" would be a quotation.
"""

import griffe


def to_markdown(text):
    """Doctests with their output, and indented passages, as code blocks."""
    lines, result, fence = text.split("\n"), [], None

    def close():
        nonlocal fence
        if fence:
            while result and not result[-1].strip():
                result.pop()
            result.extend(["```", ""])
            fence = None

    for index, line in enumerate(lines):
        blank = not line.strip()
        if fence == "pycon" and blank:
            close()
        elif fence == "text" and not blank and not line.startswith("    "):
            close()
        if not fence and line.lstrip().startswith(">>>"):
            fence = "pycon"
            result.extend(["", "```pycon"])
        elif not fence and line.startswith("    ") and (index == 0 or not lines[index - 1].strip()):
            fence = "text"
            result.extend(["", "```text"])
        result.append(line.strip() if fence == "pycon" and line.startswith("    >>>") else
                      line[4:] if fence == "text" else line if fence else escaped(line))
    close()
    return "\n".join(result)


def escaped(line):
    """Text as it is: stars and angle brackets mean nothing; backquotes do."""
    parts = line.split("`")
    parts[::2] = [part.replace("*", r"\*").replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


class DocstringExtension(griffe.Extension):
    """Rewrites every docstring once, when its object has been collected."""

    def on_object(self, *, obj, **_):
        if obj.docstring is not None:
            obj.docstring.value = to_markdown(obj.docstring.value)

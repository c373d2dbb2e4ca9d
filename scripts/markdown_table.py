"""Markdown that the generated pages share."""


def escaped(text):
    return text.replace("|", "\\|")


def table(header, rows):
    """Lines of a Markdown table, with an empty line after it."""
    yield "| " + " | ".join(header) + " |"
    yield "|" + "---|" * len(header)
    for row in rows:
        yield "| " + " | ".join(escaped(cell) for cell in row) + " |"
    yield ""

"""What Torsor supports of MJCF and of the wheel's fields, as a page. python coverage.py writes docs/coverage.md."""

import re

import engines
import fields
import scenes
import schema

PAGE = scenes.ROOT / "docs" / "coverage.md"
HEADER = """# Coverage

This page is written by `python tests/differential/coverage.py` and checked by a test: it must be current, and what it
calls supported must stay supported. The reference is the MJCF schema and the fields of MuJoCo 3.12.0.

"""


def supported_attributes(subject):
    """{path: (supported attributes, attributes refused by name)} over the wheel's whole schema."""
    read, _ = subject.schema()
    table = {}
    for path, attributes in schema.wheel_schema().items():
        known = read.get(path, set())
        table[path] = (sorted(set(attributes) & known), sorted(set(attributes) - known))
    return table


def extensions(subject):
    """Attributes that Torsor reads and the wheel does not know."""
    read, _ = subject.schema()
    wheel = schema.wheel_schema()
    more = {path: sorted(known - set(wheel.get(path, ()))) for path, known in read.items()}
    return {path: names for path, names in more.items() if names}


def supported_fields(subject, kind):
    """Fields of the wheel that Torsor has, and those it has not."""
    mine = set(subject.field_names(kind))
    wheel = engines.wheel_fields(kind)
    return sorted(wheel & mine), sorted(wheel - mine)


def make_page(subject):
    """The whole page as text."""
    read, _ = subject.schema()
    table = supported_attributes(subject)
    counts = [sum(len(column[i]) for column in table.values()) for i in (0, 1)]
    lines = [HEADER, f"## MJCF\n\n{counts[0]} attributes are supported, {counts[1]} are refused by name.\n"]
    lines += ["| element | supported | refused |", "|---|---|---|"]
    for path, (supported, refused) in sorted(table.items()):
        state = "" if path in read else " (refused)"
        lines.append(f"| `{path}`{state} | {_list(supported)} | {_list(refused)} |")
    lines.append("\nTorsor's own, which MuJoCo does not read: " + ", ".join(
        f"`{name}` of `{path}`" for path, names in sorted(extensions(subject).items()) for name in names) + ".")
    for kind in ("model", "data"):
        have, lack = supported_fields(subject, kind)
        reasons = fields.left_out(kind)
        lines.append(f"\n## Fields of {kind}\n\n{len(have)} fields are there, {len(lack)} are not.\n")
        lines += ["| field | there | compared with MuJoCo |", "|---|---|---|"]
        for name in sorted(have + lack):
            judged = "no: " + reasons[name] if name in reasons else "yes" if name in have else "with its section, later"
            lines.append(f"| `{name}` | {'yes' if name in have else 'no'} | {judged} |")
    return "\n".join(lines) + "\n"


def _list(names):
    return " ".join(f"`{name}`" for name in names)


def read_page(text):
    """What a page calls supported: attributes as (path, name), fields as (kind, name)."""
    attributes, present, kind = set(), set(), None
    for line in text.splitlines():
        heading = re.match(r"## Fields of (\w+)", line)
        kind = heading[1] if heading else kind
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| `"):
            continue
        name = re.match(r"`([^`]+)`", cells[0])[1]
        if kind is None:
            attributes |= {(name, attribute) for attribute in re.findall(r"`([^`]+)`", cells[1])}
        elif cells[1] == "yes":
            present.add((kind, name))
    return attributes, present


def main():
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(make_page(engines.subject()))
    print(f"wrote {PAGE.relative_to(scenes.ROOT)}")


if __name__ == "__main__":
    main()

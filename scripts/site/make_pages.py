#!/usr/bin/env python3
"""Collects what the documentation site is built from: the pages of the repository, and one page per topic of the API.

    make_pages.py --package build/release/python --output build/site_pages

Writes OUTPUT/pages, which mirrors the repository so that relative links hold, and OUTPUT/mkdocs.yml. The package is read, not
imported. Every public name is on a page: those that api_topics.py does not know are on one of their own.
"""

import argparse
import copy
import pathlib
import re
import shutil
import subprocess
import sys

import api_topics
import griffe

ROOT = pathlib.Path(__file__).parents[2]
PAGES = ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "examples/README.md", "docs/site.css"]


def copy_pages(target):
    """The pages, at the places that they have in the repository."""
    pages = [ROOT / name for name in PAGES] + sorted((ROOT / "docs").rglob("*.md"))
    pages += sorted(path for path in (ROOT / "docs" / "images").iterdir() if path.suffix in (".jpg", ".png", ".svg"))
    for page in pages:
        copy = target / page.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, copy)


def public_names(package):
    """Names that `import torsor` gives: those of the engine, and those that the package imports from its own modules."""
    engine = {name for name, member in package["_core"].members.items() if not member.is_alias}
    imported = {name for name, member in package.members.items()
                if member.is_alias and re.match(r"torsor\.(?!_core\.)", member.target_path)}
    return {name for name in engine | imported if not name.startswith("_")} - set(api_topics.MODULES)


def field_names():
    """Arrays and sizes of Model and Data, which the reference of fields lists."""
    text = (ROOT / "docs" / "reference" / "fields.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))


def directive(name, members=None):
    lines = [f"::: torsor.{name}"]
    if members is not None:
        lines += ["    options:", "      group_by_category: false", f"      members: [{', '.join(members)}]"]
    if name in api_topics.CLASSES_WITH_BASES:
        lines += ["    options:", "      inherited_members: true"]
    return "\n".join(lines) + "\n"


def members_beyond_fields(package, name, fields):
    """Methods, then properties, of a class that are no fields; those have their own page."""
    members = package["_core"][name].members
    shown = [member for member in members if not member.startswith("_") and member not in fields]
    return sorted(shown, key=lambda member: not members[member].is_function)


def topic_page(package, topic, fields):
    parts = [f"# {topic.title}\n", topic.introduction]
    for name in topic.names:
        beyond = members_beyond_fields(package, name, fields) if name in api_topics.CLASSES_WITH_FIELDS else None
        parts.append(directive(name, beyond))
    return "\n".join(parts)


def module_page(package, name):
    """A module: its introduction, what it defines, and what it re-exports from private modules."""
    public = {member: value for member, value in package[name].members.items() if not member.startswith("_")}
    defined = [member for member, value in public.items() if not value.is_alias and (value.is_function or value.is_class)]
    from_private = re.compile(rf"torsor\.({name}\._|_core\._{name}\.)")
    elsewhere = [member for member, value in public.items()
                 if (from_private.match(value.target_path) if value.is_alias else value.is_module)]
    options = ["show_root_heading: false", "heading_level: 2", f"members: [{', '.join(defined)}]"]
    introduction = "\n".join([f"::: torsor.{name}", "    options:", *(f"      {option}" for option in options)])
    return "\n\n".join([f"# torsor.{name}", introduction, *(directive(f"{name}.{member}") for member in elsewhere)])


def write_api(package, folder):
    """One page per topic and per module; returns [(title, path)] for the navigation."""
    folder.mkdir(parents=True)
    fields, navigation = field_names(), []
    for topic in all_topics(package):
        (folder / f"{topic.file}.md").write_text(topic_page(package, topic, fields), encoding="utf-8")
        navigation.append((topic.title, f"api/{topic.file}.md"))
    for name in api_topics.MODULES:
        (folder / f"module_{name}.md").write_text(module_page(package, name), encoding="utf-8")
        navigation.append((f"torsor.{name}", f"api/module_{name}.md"))
    return navigation


def all_topics(package):
    """The topics, completed by names that none of them lists: named elements, and a page of others if there are any."""
    topics = copy.deepcopy(api_topics.TOPICS)
    public, listed = public_names(package), {name for topic in topics for name in topic.names}
    if unknown := sorted(listed - public):
        sys.exit(f"scripts/site/api_topics.py lists what torsor does not have: {', '.join(unknown)}")
    rest = sorted(public - listed)
    elements = [name for name in rest if re.match("(Model|Data)[A-Z]", name)]
    next(topic for topic in topics if topic.file == "elements").names += elements
    if others := [name for name in rest if name not in elements]:
        topics.append(api_topics.Topic("others", "Other names", "Names without a topic yet.\n", others))
    return topics


def title_of(page):
    return page.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")


def make_gallery(program, pages):
    """The replays of `torsor demo --gallery`. Returns whether there is a program to make them."""
    if not (program and program.exists()):
        return False
    subprocess.run([program, "demo", "--gallery", pages / "gallery"], check=True, stdout=subprocess.DEVNULL)
    return True


def write_configuration(output, package_folder, api, has_gallery):
    """docs/mkdocs.yml with its paths and generated parts of the navigation."""
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    text = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    api_lines = "".join(f"\n      - {title}: {path}" for title, path in api)
    decision_lines = "".join(f'\n          - "{title_of(page)}": {page.relative_to(ROOT)}' for page in decisions)
    for key, value in (("[PACKAGE]", f'["{package_folder.resolve()}"]'),
                       ("[EXTENSION]", f'["{ROOT / "scripts/site/docstrings.py"}"]')):
        assert key in text, key
        text = text.replace(key, value)
    if not has_gallery:
        text = re.sub(r"\n *- Gallery: .*", "", text)
    text = re.sub(r"Python API: \[\].*", lambda _: "Python API:" + api_lines, text)
    text = re.sub(r"Decisions: \[\].*", lambda _: "Decisions:" + decision_lines, text)
    (output / "mkdocs.yml").write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", type=pathlib.Path, required=True, help="folder that holds the package torsor with its stubs")
    parser.add_argument("--program", type=pathlib.Path, help="the program torsor, which makes the gallery")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="folder to write")
    arguments = parser.parse_args()
    package = griffe.load("torsor", search_paths=[str(arguments.package)], allow_inspection=False)
    shutil.rmtree(arguments.output, ignore_errors=True)
    copy_pages(arguments.output / "pages")
    write_configuration(arguments.output, arguments.package, write_api(package, arguments.output / "pages" / "api"),
                        make_gallery(arguments.program, arguments.output / "pages"))


if __name__ == "__main__":
    main()

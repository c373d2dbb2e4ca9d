"""Links between pages lead to files and headings that exist, and every page is in the navigation of the site.

scripts/docs checks the same on the built site; this test needs neither the site's tools nor a network.
"""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "SECURITY.md", ROOT / "examples" / "README.md",
                *(ROOT / "docs").rglob("*.md")])


def name_of(page):
    return str(page.relative_to(ROOT))


def prose(page):
    """The page without its code, in which brackets are no links."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "`", text)


def anchors(page):
    """Headings as GitHub and the site spell their anchors, and anchors written as HTML."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+?)\s*$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))


def links(page):
    found = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    return [link for link in found if not link.startswith(("http://", "https://", "mailto:"))]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files_and_headings(page):
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.is_file(), f"{name_of(page)} links to {link}, which is no file"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{name_of(page)} links to {link}, and there is no such heading"


def test_the_readme_links_the_guide_the_reference_and_the_policy():
    assert {"docs/start.md", "docs/simulation.md", "docs/reference/fields.md", "docs/performance.md", "SECURITY.md",
            "CHANGELOG.md", "LICENSE"} <= {link.partition("#")[0] for link in links(ROOT / "README.md")}


def test_every_page_is_in_the_navigation():
    configuration = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^ +- .*: (\S+\.md)$", configuration, re.MULTILINE)
    assert len(listed) == len(set(listed))
    pages = {name_of(page) for page in PAGES if page.parent.name != "decisions"}  # these are added by scripts/docs
    assert pages == set(listed)


def test_pages_begin_with_a_heading():
    for page in PAGES:
        assert page.read_text(encoding="utf-8").startswith("# "), name_of(page)

"""docs/start.md and README.md: the Python runs as it stands and prints what the page says."""

import page_blocks

PAGE = "docs/start.md"


def save_model(folder):
    (block,) = page_blocks.blocks_of(PAGE, "xml")
    (folder / "arm.xml").write_text(block.code, encoding="utf-8")


def test_the_page_prints_what_it_says(tmp_path, monkeypatch):
    save_model(tmp_path)
    monkeypatch.chdir(tmp_path)
    page_blocks.run_page(PAGE)
    shown = page_blocks.blocks_of(PAGE, "text")
    assert len(shown) >= 10  # a page that shows nothing checks nothing


def test_the_python_of_the_readme_holds_the_cube(monkeypatch, capsys):
    monkeypatch.chdir(page_blocks.ROOT)
    names = page_blocks.run_page("README.md")
    assert abs(names["data"].body("cube").xpos[2] - 0.5) < 0.02
    assert names["data"].ncon > 0

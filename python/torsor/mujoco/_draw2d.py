"""Texts, labels, rectangles and figures on the buffer of a context: mjr_text, mjr_overlay, mjr_figure and their like."""

from __future__ import annotations

import contextlib
import math
import weakref
from collections.abc import Iterator
from typing import Any

import numpy
from numpy.typing import NDArray

from torsor import _core
from torsor.mujoco import _render, _scene

_SHADOW, _BIG = 1, 2  # mjtFont
NORMAL_SIZE, _BIG_SIZE = 0.14, 0.27  # px per font scale
_LINE = 1.58  # height of a line of text per size
_PAD, _MARGIN = 4, 5  # px around text, and between a box and the edge of the picture
_SOFT, _WHITE, _BEHIND = (0.7, 0.7, 0.7), (1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.5)
_LEFT, _MIDDLE, _RIGHT = -1, 0, 1
# mjtGridPos: (horizontal, vertical), 0 for the left and the top, 1 for the right and the bottom
_PLACES = ((0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0), (0.5, 1), (0, 0.5), (1, 0.5))
_current: Any = lambda: None  # a weak reference to the context that was made or drawn to last


def make_current(con: Any) -> None:
    """What is drawn without a context goes to this one."""
    global _current
    _current = weakref.ref(con)


@contextlib.contextmanager
def _canvas(con: Any, viewport: Any) -> Iterator[Any]:
    """A canvas over a part of the buffer, y down. What mjr_render noted is drawn first."""
    _render.require_inside(viewport, con)
    con.settle()
    rows = slice(viewport.bottom, viewport.bottom + viewport.height)
    columns = slice(viewport.left, viewport.left + viewport.width)
    picture = numpy.ascontiguousarray(con._rgb[rows, columns][::-1])
    canvas = _core._Canvas(picture)
    yield canvas
    canvas.store(picture)
    con._rgb[rows, columns] = picture[::-1]


def _size(con: Any, font: int) -> float:
    return (_BIG_SIZE if font == _BIG else NORMAL_SIZE) * con.fontScale


def _write(canvas: Any, x: float, y: float, text: str, size: float, colour: Any, font: int = 0, anchor: int = _LEFT) -> None:
    """A line of text whose middle is at the height y."""
    base = y + 0.36 * size
    if font == _SHADOW:
        for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            canvas.word(x + dx, base + dy, text, size, (0.0, 0.0, 0.0), anchor, False)
    canvas.word(x, base, text, size, colour, anchor, False)


def mjr_changeFont(fontscale: int, con: Any) -> None:
    """Changes the size of texts: 50, 100, 150, 200, 250 or 300 per cent.

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150)
    >>> torsor.mujoco.mjr_changeFont(100, context)
    >>> context.fontScale
    100
    """
    if int(fontscale) not in (50, 100, 150, 200, 250, 300):
        raise ValueError(f"the font scale must be 50, 100, 150, 200, 250 or 300, got {fontscale}")
    con.fontScale = int(fontscale)


def mjr_rectangle(viewport: Any, r: float, g: float, b: float, a: float) -> None:
    """Fills a part of the buffer of the context that was made or drawn to last.

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150)
    >>> torsor.mujoco.mjr_rectangle(torsor.mujoco.MjrRect(0, 0, 640, 480), 0, 0, 1, 1)
    >>> pixel = numpy.zeros((1, 1, 3), numpy.uint8)
    >>> torsor.mujoco.mjr_readPixels(pixel, None, torsor.mujoco.MjrRect(9, 9, 1, 1), context)
    >>> pixel.ravel().tolist()
    [0, 0, 255]
    """
    con = _current()
    if con is None or con._model is None:
        raise RuntimeError("there is no context to draw to: make an MjrContext first")
    with _canvas(con, viewport) as canvas:
        canvas.box(0, 0, viewport.width, viewport.height, (r, g, b, a))


def mjr_label(viewport: Any, font: int, txt: str, r: float, g: float, b: float, a: float, rt: float, gt: float, bt: float, con: Any) -> None:
    """Fills a part of the buffer, and writes a text in its middle.

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150)
    >>> torsor.mujoco.mjr_label(torsor.mujoco.MjrRect(0, 0, 80, 40), 0, "hip", 1, 1, 0, 1, 0, 0, 0, context)
    """
    with _canvas(con, viewport) as canvas:
        canvas.box(0, 0, viewport.width, viewport.height, (r, g, b, a))
        _write(canvas, viewport.width / 2, viewport.height / 2, txt, _size(con, int(font)), (rt, gt, bt), int(font), _MIDDLE)


def mjr_text(font: int, txt: str, con: Any, x: float, y: float, r: float, g: float, b: float) -> None:
    """Writes a line of text at a place of the part that was drawn last: x and y go from 0 to 1, from its lower left corner.

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150)
    >>> torsor.mujoco.mjr_text(0, "hello", context, 0.1, 0.9, 1, 1, 1)
    """
    viewport = con._viewport or _render.mjr_maxViewport(con)
    with _canvas(con, viewport) as canvas:
        size = _size(con, int(font))
        _write(canvas, x * viewport.width, (1 - y) * viewport.height - 0.36 * size, txt, size, (r, g, b), int(font))


def mjr_overlay(font: int, gridpos: int, viewport: Any, overlay: str, overlay2: str | None, con: Any) -> None:
    """Writes lines of text, in one or two columns, into a box in a corner or at a side.

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150)
    >>> place = torsor.mujoco.mjtGridPos.mjGRID_TOPLEFT
    >>> rect = torsor.mujoco.mjr_maxViewport(context)
    >>> torsor.mujoco.mjr_overlay(torsor.mujoco.mjtFont.mjFONT_NORMAL, place, rect, "speed", "1.2 m/s", context)
    """
    if not 0 <= int(gridpos) < len(_PLACES):
        raise ValueError(f"gridpos must be one of mjtGridPos, got {gridpos}")
    size = _size(con, int(font))
    texts = [each.decode() if isinstance(each, bytes) else each for each in (overlay, overlay2)]
    columns = [text.split("\n") for text in texts if text]
    widths = [max(_core._text_width(line, size) for line in lines) + 2 * _PAD for lines in columns]
    line_height = round(_LINE * size)
    height = line_height * max((len(lines) for lines in columns), default=0)
    across, down = _PLACES[int(gridpos)]
    with _canvas(con, viewport) as canvas:
        left = _MARGIN + across * (viewport.width - 2 * _MARGIN - sum(widths))
        top = _MARGIN + down * (viewport.height - 2 * _MARGIN - height)
        for number, (lines, width) in enumerate(zip(columns, widths)):
            canvas.box(left, top, width, height, _BEHIND)
            colour = _SOFT if number == 0 and len(columns) == 2 else _WHITE
            for row, line in enumerate(lines):
                _write(canvas, left + _PAD, top + (row + 0.5) * line_height, line, size, colour, int(font))
            left += width + 1


def mjr_drawPixels(rgb: NDArray[Any] | None, depth: NDArray[Any] | None, viewport: Any, con: Any) -> None:
    """Writes pixels into a part of the buffer, rows from the bottom: colours as bytes, depths from 0 to 1.

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 150)
    >>> red = numpy.tile(numpy.array([255, 0, 0], numpy.uint8), 4)
    >>> torsor.mujoco.mjr_drawPixels(red, None, torsor.mujoco.MjrRect(0, 0, 2, 2), context)
    """
    _render.require_pixels(rgb, depth, viewport)
    _render.require_inside(viewport, con)
    con.settle()
    rows = slice(viewport.bottom, viewport.bottom + viewport.height)
    columns = slice(viewport.left, viewport.left + viewport.width)
    for values, buffer in ((rgb, con._rgb), (depth, con._depth)):
        if values is None:
            continue
        part = buffer[rows, columns]
        part[...] = numpy.reshape(values, -1)[:part.size].reshape(part.shape)


def mjr_findRect(x: int, y: int, nrect: int, rect: Any) -> int:
    """0 if the point lies in the rectangle, -1 if not. nrect must be 1: the function gets one rectangle.

    >>> torsor.mujoco.mjr_findRect(5, 5, 1, torsor.mujoco.MjrRect(0, 0, 10, 10))
    0
    """
    if int(nrect) != 1:
        raise ValueError(f"nrect must be 1, got {nrect}")
    return 0 if 0 <= x - rect.left < rect.width and 0 <= y - rect.bottom < rect.height else -1


def _line_colours() -> NDArray[Any]:
    """Bright colours first, then hues that are far from those before them."""
    first = [(1, 0.3, 0.3), (0.1, 1, 0.1), (0.3, 0.3, 1), (0.1, 1, 1), (1, 0.2, 1), (1, 1, 0.1), (1, 0.6, 0.2)]
    golden = (math.sqrt(5) - 1) / 2
    rest = []
    for i in range(100 - len(first)):
        hue = (i * golden) % 1 * 6
        rest.append([0.25 + 0.65 * min(max(abs((hue + shift) % 6 - 3) - 1, 0), 1) for shift in (0, 4, 2)])
    return numpy.array([*first, *rest], numpy.float32)


def mjv_defaultFigure(fig: Any) -> None:
    """Sets the defaults of a figure: no lines, a white page, bright colours of lines.

    >>> figure = torsor.mujoco.MjvFigure()
    >>> torsor.mujoco.mjv_defaultFigure(figure)
    >>> figure.minwidth
    'XXX'
    """
    fresh = _scene.MjvFigure()
    for name in fresh._fields:
        setattr(fig, name, getattr(fresh, name))
    fig.linedata[...] = 0
    fig.linename[...] = ""
    fig.linergb = _line_colours()
    fig.xformat, fig.yformat, fig.minwidth = "%.0f", "%.2g", "XXX"
    fig.textrgb = (1, 1, 1)
    fig.figurergba, fig.panergba = (0.1, 0.1, 0.1, 0.5), (0.2, 0.2, 0.2, 0.5)


class _Axes:
    """Ranges of the data, and where they lie in the picture."""

    def __init__(self, fig: Any, width: int, height: int, size: float):
        self.lines = [numpy.reshape(fig.linedata[i][:2 * int(fig.linepnt[i])], (-1, 2)).astype(float)
                      for i in range(100) if fig.linepnt[i] > 0]
        self.names = [str(fig.linename[i]) for i in range(100) if fig.linepnt[i] > 0]
        self.colours = [fig.linergb[i].tolist() for i in range(100) if fig.linepnt[i] > 0]
        self.x, self.y = self._range(fig, 0), self._range(fig, 1)
        ticks_y = self.ticks(fig, 1)
        labels = [str(fig.minwidth), *(label for _, label in ticks_y)]
        margin = 0.7 * size
        self.left = margin + (max(_core._text_width(text, size) for text in labels) + margin if fig.flg_ticklabel[1] else 0)
        self.right = width - margin
        self.top = margin + (_LINE * size if fig.title else 0)
        below = (_LINE * size if fig.xlabel else 0) + (_LINE * size if fig.flg_ticklabel[0] else 0)
        self.bottom = height - margin - below
        self.is_drawable = self.right > self.left + 2 and self.bottom > self.top + 2

    def _range(self, fig: Any, axis: int) -> tuple[float, float]:
        low, high = (float(number) for number in fig.range[axis])
        points = numpy.concatenate([line[:, axis] for line in self.lines]) if self.lines else numpy.zeros(0)
        points = points[numpy.isfinite(points)]
        is_given = low < high
        if len(points) and (fig.flg_extend or not is_given):
            low = min(low, points.min()) if is_given else points.min()
            high = max(high, points.max()) if is_given else points.max()
        if axis == 1 and fig.flg_symmetric:
            low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
        return (low, high) if high > low else (low, low + 1)

    def ticks(self, fig: Any, axis: int) -> list[tuple[float, str]]:
        """Values from end to end, as many as gridsize asks for, and their text."""
        low, high = (self.x, self.y)[axis]
        form = fig.xformat if axis == 0 else fig.yformat
        count = max(int(fig.gridsize[axis]), 2)
        return [(value, _formatted(form, value)) for value in numpy.linspace(low, high, count).tolist()]

    def place(self, points: NDArray[Any]) -> tuple[list[float], list[float]]:
        """Pixels of points; a point outside of the axes is moved to their border."""
        across = numpy.clip((points[:, 0] - self.x[0]) / (self.x[1] - self.x[0]), 0, 1)
        up = numpy.clip((points[:, 1] - self.y[0]) / (self.y[1] - self.y[0]), 0, 1)
        return ((self.left + across * (self.right - self.left)).tolist(), (self.bottom - up * (self.bottom - self.top)).tolist())


def _formatted(form: str, value: float) -> str:
    try:
        return str(form % value)
    except (TypeError, ValueError):
        return f"{value:g}"


def mjr_figure(viewport: Any, fig: Any, con: Any) -> None:
    """Draws lines, or with flg_barplot separate pieces of lines, with axes, ticks and a legend, and writes to the figure where its axes are.

    >>> context = torsor.mujoco.MjrContext(torsor.mujoco.MjModel.from_xml_string("<mujoco/>"), 50)
    >>> figure = torsor.mujoco.MjvFigure()
    >>> torsor.mujoco.mjv_defaultFigure(figure)
    >>> figure.flg_extend, figure.linepnt[0] = 1, 2
    >>> figure.linedata[0][:4] = 0, 0, 10, 5
    >>> torsor.mujoco.mjr_figure(torsor.mujoco.MjrRect(0, 0, 200, 150), figure, context)
    >>> figure.xaxisdata.tolist()
    [0.0, 10.0]
    """
    size = _size(con, 0)
    with _canvas(con, viewport) as canvas:
        canvas.box(0, 0, viewport.width, viewport.height, fig.figurergba.tolist())
        axes = _Axes(fig, int(viewport.width), int(viewport.height), size)
        if not axes.is_drawable:
            return
        _draw_pane(canvas, fig, axes, size)
        (_draw_bars if fig.flg_barplot else _draw_lines)(canvas, fig, axes)
        if fig.flg_selection:
            x, _ = axes.place(numpy.array([[float(fig.selection), axes.y[0]]]))
            canvas.line([x[0], x[0]], [axes.top, axes.bottom], fig.textrgb.tolist(), 1)
        if fig.flg_legend:
            _draw_legend(canvas, fig, axes, size)
    fig.xaxisdata, fig.yaxisdata = axes.x, axes.y
    fig.xaxispixel = round(axes.left), round(axes.right)
    fig.yaxispixel = round(viewport.height - axes.bottom), round(viewport.height - axes.top)


def _draw_pane(canvas: Any, fig: Any, axes: _Axes, size: float) -> None:
    """The area of the data with its grid, ticks and titles."""
    text, grid, width = fig.textrgb.tolist(), fig.gridrgb.tolist(), float(fig.gridwidth)
    canvas.box(axes.left, axes.top, axes.right - axes.left, axes.bottom - axes.top, fig.panergba.tolist())
    for axis in (0, 1):
        for value, label in axes.ticks(fig, axis):
            point = (value, axes.y[0]) if axis == 0 else (axes.x[0], value)
            (x,), (y,) = axes.place(numpy.array([point]))
            if axis == 0:
                canvas.line([x, x], [axes.top, axes.bottom], grid, width)
            else:
                canvas.line([axes.left, axes.right], [y, y], grid, width)
            if not fig.flg_ticklabel[axis]:
                continue
            if axis == 1:
                _write(canvas, axes.left - 0.5 * size, y, label, size, text, 0, _RIGHT)
            else:
                anchor = _LEFT if value == axes.x[0] else _RIGHT if value == axes.x[1] else _MIDDLE
                _write(canvas, x, axes.bottom + 0.5 * _LINE * size, label, size, text, 0, anchor)
    middle = (axes.left + axes.right) / 2
    if fig.title:
        _write(canvas, middle, axes.top - 0.5 * _LINE * size, str(fig.title), size, text, 0, _MIDDLE)
    if fig.xlabel:
        below = 1.5 if fig.flg_ticklabel[0] else 0.5
        _write(canvas, middle, axes.bottom + below * _LINE * size, str(fig.xlabel), size, text, 0, _MIDDLE)


def _draw_lines(canvas: Any, fig: Any, axes: _Axes) -> None:
    for line, colour in zip(reversed(axes.lines), reversed(axes.colours)):  # the first one lies on top
        is_sound = numpy.isfinite(line).all(axis=1)
        for part in numpy.split(line, numpy.flatnonzero(~is_sound)):
            part = part[numpy.isfinite(part).all(axis=1)]
            if len(part) > 0:
                xs, ys = axes.place(part if len(part) > 1 else numpy.repeat(part, 2, axis=0))
                canvas.line(xs, ys, colour, float(fig.linewidth))


def _draw_bars(canvas: Any, fig: Any, axes: _Axes) -> None:
    """Each pair of points of a line is a line of its own."""
    for line, colour in zip(reversed(axes.lines), reversed(axes.colours)):
        for first, second in zip(line[0::2], line[1::2]):
            if numpy.isfinite([first, second]).all():
                canvas.line(*axes.place(numpy.array([first, second])), colour, float(fig.linewidth))


def _draw_legend(canvas: Any, fig: Any, axes: _Axes, size: float) -> None:
    rows = [(name, colour) for name, colour in zip(axes.names, axes.colours) if name]
    if not rows:
        return
    width = max(_core._text_width(name, size) for name, _ in rows) + size
    line_height = 1.3 * size
    left, top = axes.right - width, axes.top + int(fig.legendoffset) * line_height
    canvas.box(left, top, width, line_height * (len(rows) + 0.5), fig.legendrgba.tolist())
    for i, (name, colour) in enumerate(rows):
        _write(canvas, axes.right - 0.5 * size, top + (i + 0.75) * line_height, name, size, colour, _SHADOW, _RIGHT)


FUNCTIONS = {name: value for name, value in globals().items() if name.startswith(("mjr_", "mjv_"))}

// Lines over time on a small canvas.
export interface Line { label: string; colour: string; values: ArrayLike<number> }

/** The span of all finite numbers, a little wider. */
export function span(lines: { values: ArrayLike<number> }[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of lines) {
    for (let i = 0; i < values.length; ++i) {
      const value = values[i];
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return [0, 1];
  const margin = high > low ? 0.06 * (high - low) : Math.max(0.5 * Math.abs(high), 0.5);
  return [low - margin, high + margin];
}

export function drawPlot(canvas: HTMLCanvasElement, times: ArrayLike<number>, lines: Line[], now: number, ink: string): void {
  const ratio = Math.min(window.devicePixelRatio, 2);
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
  const pen = canvas.getContext('2d');
  if (!pen || times.length === 0) return;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const [low, high] = span(lines);
  const start = times[0];
  const end = Math.max(times[times.length - 1], start + 1e-9);
  const x = (t: number) => ((t - start) / (end - start)) * width;
  const y = (v: number) => height - ((v - low) / (high - low)) * height;
  const stride = Math.max(1, Math.floor(times.length / (2 * width)));
  for (const { colour, values } of lines) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let i = 0; i < times.length; i += stride) pen.lineTo(x(times[i]), y(values[i]));
    pen.stroke();
  }
  pen.strokeStyle = ink;
  pen.globalAlpha = 0.5;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x(now), 0);
  pen.lineTo(x(now), height);
  pen.stroke();
  pen.globalAlpha = 1;
  pen.fillStyle = ink;
  pen.font = '10px system-ui, sans-serif';
  pen.fillText(high.toPrecision(3), 4, 11);
  pen.fillText(low.toPrecision(3), 4, height - 4);
}

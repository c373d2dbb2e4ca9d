// Small helpers to make elements.
type Child = Node | string | null | undefined;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const ICONS: Record<string, string> = {
  play: 'M8 5v14l11-7z', pause: 'M7 5h4v14H7zM13 5h4v14h-4z', forward: 'M6 5v14l9-7zM16 5h3v14h-3z', back: 'M18 5v14l-9-7zM5 5h3v14H5z',
  reset: 'M12 5a7 7 0 1 1-6.6 4.7l1.9.7A5 5 0 1 0 12 7v3L7.5 6 12 2z', loop: 'M7 7h9v3l4-4-4-4v3H5v7h2zM17 17H8v-3l-4 4 4 4v-3h11v-7h-2z',
  theme: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z', panel: 'M4 5h16v2H4zM4 11h16v2H4zM4 17h16v2H4z', help: 'M11 17h2v2h-2zM12 5a4 4 0 0 0-4 4h2a2 2 0 1 1 2.7 1.9c-1 .4-1.7 1.3-1.7 2.4V15h2v-1.5c0-.4.3-.7.7-.9A4 4 0 0 0 12 5z',
};

export function icon(name: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

export function button(name: string, label: string, action: () => void): HTMLButtonElement {
  return el('button', { type: 'button', class: 'icon', title: label, 'aria-label': label, onclick: action }, icon(name) as unknown as Node);
}

export function setIcon(target: HTMLButtonElement, name: string, label: string): void {
  target.replaceChildren(icon(name));
  target.title = label;
  target.setAttribute('aria-label', label);
}

export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  return el('details', { open, class: 'section' }, el('summary', {}, title), ...children);
}

export function toggle(label: string, checked: boolean, onchange: (on: boolean) => void, key = ''): HTMLLabelElement {
  const box = el('input', { type: 'checkbox', checked, onchange: () => onchange(box.checked) });
  return el('label', { class: 'toggle' }, box, el('span', {}, label), key ? el('kbd', {}, key) : null);
}

export function select(label: string, options: [string, string][], value: string, onchange: (value: string) => void): HTMLSelectElement {
  const made = el('select', { 'aria-label': label, onchange: () => onchange(made.value) }, ...options.map(([id, text]) => el('option', { value: id }, text)));
  made.value = value;
  return made;
}

/** Enough digits to read, few enough not to dance. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size < 1e-6) return '0.000'; // rounding, not motion
  if (size < 1e-3 || size >= 1e5) return value.toExponential(2);
  return value.toFixed(size < 10 ? 3 : size < 1000 ? 2 : 1);
}

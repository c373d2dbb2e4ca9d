// Keys as GLFW numbers them, which programs written for MuJoCo's viewer expect.
const NAMED: Record<string, number> = {
  Space: 32, Quote: 39, Comma: 44, Minus: 45, Period: 46, Slash: 47, Semicolon: 59, Equal: 61, BracketLeft: 91, Backslash: 92, BracketRight: 93, Backquote: 96,
  Escape: 256, Enter: 257, Tab: 258, Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265,
  PageUp: 266, PageDown: 267, Home: 268, End: 269, CapsLock: 280, NumpadDecimal: 330, NumpadDivide: 331, NumpadMultiply: 332, NumpadSubtract: 333, NumpadAdd: 334, NumpadEnter: 335,
  ShiftLeft: 340, ControlLeft: 341, AltLeft: 342, ShiftRight: 344, ControlRight: 345, AltRight: 346,
};

/** The number of a key, by KeyboardEvent.code; -1 for one that has none. */
export function keyNumber(code: string): number {
  if (/^Key[A-Z]$/.test(code)) return code.charCodeAt(3);
  if (/^Digit\d$/.test(code)) return code.charCodeAt(5);
  if (/^Numpad\d$/.test(code)) return 320 + Number(code[6]);
  if (/^F([1-9]|1\d|2[0-5])$/.test(code)) return 289 + Number(code.slice(1));
  return NAMED[code] ?? -1;
}

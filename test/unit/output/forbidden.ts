// The characters that no text for people may hold, from docs/reliability.md#terminal-and-files, not from the code under test.
const ranges = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
] as const

/** Says whether a text holds a control, a direction, what is not shown, or a lone surrogate. Newline and tab count unless `lines`. */
export function isDangerous(text: string, { lines = false } = {}): boolean {
  if (!text.isWellFormed()) return true
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (lines && (unit === 0x0a || unit === 0x09)) continue
    if (ranges.some(([from, to]) => unit >= from && unit <= to)) return true
  }
  return false
}

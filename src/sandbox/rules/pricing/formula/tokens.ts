// The tokenizer of formulas: one pass from left to right, one token at a time.

/** A token of a formula and its position. Words keep their spelling; texts are without quotes. */
export interface FormulaToken {
  kind: 'number' | 'text' | 'word' | 'sign' | 'end'
  text: string
  at: number
}

const pieces = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|"([^"]*)"|'([^']*)'|([a-z_][a-z0-9_]*)|(<=|>=|==|!=|<>|[-+*/%()<>=;]))/iy

/** Splits a formula into tokens, terminated by one of kind `end`. Throws a SyntaxError at the first unexpected character. */
export function tokensOf(formula: string): FormulaToken[] {
  const scanner = new RegExp(pieces)
  const length = formula.trimEnd().length
  const tokens: FormulaToken[] = []
  while (scanner.lastIndex < length) {
    const from = scanner.lastIndex
    const match = scanner.exec(formula)
    if (!match) throw new SyntaxError(strayCharacter(formula, from))
    const [whole, number, doubleQuoted, singleQuoted, word, sign] = match
    const at = scanner.lastIndex - whole.trimStart().length
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at })
    else tokens.push({ kind: 'text', text: doubleQuoted ?? singleQuoted ?? '', at })
  }
  return [...tokens, { kind: 'end', text: '', at: length }]
}

function strayCharacter(formula: string, from: number): string {
  const rest = formula.slice(from).trimStart()
  const at = formula.length - rest.length
  if (rest.startsWith(',')) return `unexpected ',' at ${at}: arguments are separated by ';'`
  if (rest.startsWith('"') || rest.startsWith("'")) return `the text that starts at ${at} has no end`
  return `unexpected '${String.fromCodePoint(rest.codePointAt(0) ?? 0)}' at ${at}`
}

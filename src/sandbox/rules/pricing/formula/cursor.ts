// The tokens of a formula, and a cursor over them.
/** A position in the tokens of a formula; taking a token advances it. */
export interface Cursor {
  /** Returns the next token; at the end always the end token. */
  peek: () => FormulaToken
  take: () => FormulaToken
  /** Takes the next token if it is this lower-case word. */
  takeWord: (word: string) => boolean
  /** Takes the next token if it is this sign. */
  takeSign: (sign: string) => boolean
}

/** Returns a cursor at the first token. */
export function cursorOver(tokens: FormulaToken[]): Cursor {
  let index = 0
  const end: FormulaToken = { kind: 'end', text: '', at: 0 }
  const peek = () => tokens[index] ?? tokens.at(-1) ?? end
  const take = () => {
    const token = peek()
    index += 1
    return token
  }
  const takeIf = (matches: boolean) => {
    if (matches) index += 1
    return matches
  }
  return {
    peek,
    take,
    takeWord: (word) => takeIf(peek().kind === 'word' && peek().text.toLowerCase() === word),
    takeSign: (sign) => takeIf(peek().kind === 'sign' && peek().text === sign),
  }
}

/** Takes a sign that must come next, or throws a SyntaxError. */
export function expectSign(cursor: Cursor, sign: string): void {
  if (!cursor.takeSign(sign)) throw unexpectedToken(cursor.peek())
}

/** Returns the error for an unexpected token. */
export function unexpectedToken(token: FormulaToken): SyntaxError {
  return new SyntaxError(
    token.kind === 'end' ? 'the formula ends too early' : `unexpected '${token.text}' at ${token.at}`,
  )
}

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

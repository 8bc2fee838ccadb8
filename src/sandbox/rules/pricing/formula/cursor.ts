// A cursor over the tokens of a formula.
import type { FormulaToken } from './tokens.ts'

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
  if (!cursor.takeSign(sign)) throw unexpected(cursor.peek())
}

/** Returns the error for an unexpected token. */
export function unexpected(token: FormulaToken): SyntaxError {
  return new SyntaxError(
    token.kind === 'end' ? 'the formula ends too early' : `unexpected '${token.text}' at ${token.at}`,
  )
}

// Walking through the tokens of a formula.
import type { FormulaToken } from './tokens.ts'

/** A place in the tokens of a formula; taking moves it on. */
export interface Cursor {
  /** The next token; the end stays the end. */
  peek: () => FormulaToken
  take: () => FormulaToken
  /** Takes the next token if it is this lower-case word. */
  takeWord: (word: string) => boolean
  /** Takes the next token if it is this sign. */
  takeSign: (sign: string) => boolean
}

/** Starts at the first token. */
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

/** Takes a sign that must come next. Throws a SyntaxError otherwise. */
export function expectSign(cursor: Cursor, sign: string): void {
  if (!cursor.takeSign(sign)) throw unexpected(cursor.peek())
}

/** Makes the error for a token that fits nowhere. */
export function unexpected(token: FormulaToken): SyntaxError {
  return new SyntaxError(
    token.kind === 'end' ? 'the formula ends too early' : `unexpected '${token.text}' at ${token.at}`,
  )
}

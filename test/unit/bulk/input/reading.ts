// How the tests of this folder read an input: from bytes in memory, cut into pieces as a pipe may cut them.
import { Readable } from 'node:stream'
import { type InputOptions, readRows } from '../../../../src/bulk/input/input.ts'
import { keyProblem } from '../../../../src/bulk/input/key.ts'
import type { BadRow, Row } from '../../../../src/bulk/input/row.ts'

export interface Read {
  rows: Row[]
  bad: BadRow[]
}

/** Options for a text on standard input, with the key column `code`. */
export function piped(text: string | Buffer, options: Partial<InputOptions> = {}, pieceBytes = 65_536): InputOptions {
  const bytes = Buffer.from(text as string)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes))
  return {
    from: '-',
    stdin: Readable.from(pieces, { objectMode: false }),
    column: 'code',
    columnGiven: false,
    checkKey: keyProblem,
    ...options,
  }
}

/** Reads everything; what is thrown, is thrown. */
export async function readAll(options: InputOptions): Promise<Read> {
  const read: Read = { rows: [], bad: [] }
  for await (const row of readRows(options)) {
    if ('rule' in row) read.bad.push(row)
    else read.rows.push(row)
  }
  return read
}

/** The message and the next step of what reading throws. */
export async function refusal(options: InputOptions): Promise<{ kind: string; exitCode: number; text: string }> {
  try {
    const { rows } = await readAll(options)
    return { kind: 'nothing was thrown', exitCode: 0, text: JSON.stringify(rows) }
  } catch (error) {
    const { kind, exitCode, message, facts } = error as import('../../../../src/errors.ts').PromoError
    return { kind, exitCode, text: facts?.hint === undefined ? message : `${message} | ${facts.hint}` }
  }
}

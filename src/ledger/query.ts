// Questions in SQL to the copy, in a process of their own: SQLite answers nothing else until a statement ends, so only the end of its
// process stops one.
import { spawn } from 'node:child_process'
import { readLosslessJson } from '../base/lossless-json.ts'
import { type PromoError, usageError } from '../errors.ts'

export interface QueryLimits {
  /** How long to wait for the next row. */
  waitMs: number
  /** How much memory its process may take. */
  memoryBytes: number
}

/** The answer to a question: the names of its columns, and its rows as they are read. */
export interface QueryAnswer {
  columns: string[]
  rows: AsyncGenerator<Record<string, unknown>>
}

/**
 * Runs one statement that reads on a copy.
 *
 * Throws `usage` for a statement that does not only read, for several, and for what SQLite refuses; `stopped` after the limits.
 * Integers are exact. Ends its process with the rows, and with the signal.
 */
export async function queryCopy(
  file: string,
  sql: string,
  limits: QueryLimits,
  signal?: AbortSignal,
): Promise<QueryAnswer> {
  mustRead(sql)
  const { PATH, SystemRoot } = process.env
  const child = spawn(process.execPath, ['--no-warnings', '-e', `(${answer.toString()})()`], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Neither options of Node nor secrets.
    env: { ...(PATH !== undefined && { PATH }), ...(SystemRoot !== undefined && { SystemRoot }) },
    ...(signal && { signal }),
  })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ file, sql, memoryBytes: limits.memoryBytes }))
  const failure: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => failure.push(text))
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const lines = linesOf(child.stdout.setEncoding('utf8'))

  const next = async (): Promise<string | undefined> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), limits.waitMs)
    })
    const line = await Promise.race([lines.next(), late])
    clearTimeout(timer)
    signal?.throwIfAborted()
    if (line === 'late') throw tooLong(limits.waitMs)
    if (!line.done) return line.value
    await ended
    if (failure.length > 0 || child.exitCode !== 0) throw refusalOf(failure.join(''), limits)
    return undefined
  }
  const stop = () => child.kill('SIGKILL')
  try {
    const columns = JSON.parse((await next()) ?? '[]') as string[]
    return { columns, rows: rows(columns) }
  } catch (error) {
    stop()
    throw error
  }

  async function* rows(columns: readonly string[]): AsyncGenerator<Record<string, unknown>> {
    try {
      for (let line = await next(); line !== undefined; line = await next()) {
        const values = readLosslessJson(line).exact as unknown[]
        yield Object.fromEntries(columns.map((name, at) => [name, values[at]]))
      }
    } finally {
      stop()
    }
  }
}

/** The file is open to read only, so this is for the words, and for ATTACH, which would open another. */
function mustRead(sql: string): void {
  const begins = sql.replace(/^(\s|;|--[^\n]*(\n|$)|\/\*[\s\S]*?(\*\/|$))+/, '')
  if (begins === '') throw usageError('the question is empty', example)
  if (!/^(select|with|values|explain)\b/i.test(begins))
    throw usageError('only questions are answered: a statement begins with select, with, values or explain', example)
}

const example = "promo ledger query 'select unit, sum(amount) from movements group by unit'"

function tooLong(waitMs: number): PromoError {
  return usageError(
    `no row within ${waitMs / 1000} s`,
    'ask for less, allow more with --time-limit, or export to a larger engine: promo ledger export DIR',
  )
}

function refusalOf(failure: string, { memoryBytes }: QueryLimits): PromoError {
  const [said = ''] = failure.trim().split('\n')
  // Its own watch ends it without a word.
  if (said === '' || said === 'out of memory')
    return usageError(
      `the question needs more than ${memoryBytes / 1024 / 1024} MB of memory`,
      'ask for less, allow more with --memory-limit, or export to a larger engine: promo ledger export DIR',
    )
  return usageError(`SQLite refuses the question: ${said}`, "promo ledger query 'select name, sql from sqlite_schema'")
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Runs in the other process, which has nothing of this module: everything it uses is in it. */
async function answer(): Promise<void> {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const events = process.getBuiltinModule('node:events')
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const pieces: Buffer[] = []
  for await (const piece of process.stdin) pieces.push(piece)
  const { file, sql, memoryBytes } = JSON.parse(Buffer.concat(pieces).toString('utf8'))
  const raw = (text: string) => (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(text)
  const shown = (value: unknown) => {
    if (typeof value === 'bigint') return raw(String(value))
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
    return value
  }
  // The limits of SQLite itself have no effect in Node. A thread looks, because this one is busy.
  const watch = `setInterval(() => {
    if (process.memoryUsage.rss() > ${Number(memoryBytes)}) process.kill(process.pid, 'SIGKILL')
  }, 20)`
  const watcher = new Worker(watch, { eval: true })
  await events.once(watcher, 'online')
  watcher.unref()
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    database.exec('PRAGMA trusted_schema = OFF')
    const statement = database.prepare(sql)
    const rest = sql.slice(statement.sourceSQL.length).replace(/;|\s|--[^\n]*|\/\*[\s\S]*?\*\//g, '')
    if (rest !== '') throw new Error('it is more than one statement')
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    const names: string[] = []
    for (const { name } of statement.columns()) {
      const same = names.filter((one) => one.replace(/_\d+$/, '') === name).length
      names.push(same === 0 ? name : `${name}_${same + 1}`)
    }
    let lines = `${JSON.stringify(names)}\n`
    let writtenMs = 0
    for (const row of statement.iterate() as Iterable<unknown>) {
      lines += `${JSON.stringify((row as unknown[]).map(shown))}\n`
      if (lines.length < 65_536 && Date.now() - writtenMs < 500) continue
      writtenMs = Date.now()
      if (!process.stdout.write(lines)) await events.once(process.stdout, 'drain')
      lines = ''
    }
    process.stdout.write(lines)
  } catch (error) {
    process.exitCode = 1
    // Node reads a row for which there is no memory as nothing, and stumbles over it.
    const isLost = (error as Error).message.startsWith('Iterator result')
    process.stderr.write(isLost ? 'out of memory' : (error as Error).message)
  }
}

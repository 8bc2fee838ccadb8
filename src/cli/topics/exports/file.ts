// The CSV file of a finished export, byte for byte as the service made it unless a form of CSV is named: on stdout, or complete in a file. The address of
// the file contains a token that opens it, so tables do not show it; programs get it in JSON.
import type { Client } from '../../../api/client.ts'
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { sanitize } from '../../../base/text/sanitize.ts'
import { csvRecords } from '../../../bulk/input/csv-records.ts'
import type { ExportJob } from '../../../contract/exports.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { type CsvLineLook, csvLine } from '../../../output/form/csv.ts'
import { mustBeNamedFor, outFile } from '../../../output/out-file.ts'
import { hasColumns, type Shape } from '../../../output/shape.ts'
import { writerTo } from '../../../output/write.ts'
import type { Showing } from '../../result/output.ts'
import type { Host } from '../../run/host.ts'
import { promisedCsv } from './promised.ts'

/** Returns the export as a format may show it: without the address of the file in a table, CSV and a workbook, else unchanged. */
export function shownExport(job: ExportJob, { shape }: Pick<Showing, 'shape'>): object {
  return hasColumns(shape.format) ? withoutAddress(job) : job
}

/** Returns the export without the address of its file. */
export function withoutAddress(job: ExportJob): object {
  return job.result
    ? { ...job, result: { ...job.result, url: `hidden; promo exports download ${argumentWords(job.id)}` } }
    : job
}

/** Throws `usage` for flags that would shape the file: it is written unchanged. */
export function mustTakeFileAsItIs({ format, out, columns, query, header, csvRaw }: Shape): void {
  if (out !== undefined) mustBeNamedFor(out, 'file')
  const isShaped = columns ?? query ?? (!header || csvRaw || undefined)
  if (isShaped === undefined && (format === 'table' || format === 'csv')) return
  throw usageError(
    'the file of an export is CSV as the service made it; no flag can shape it but --excel and --csv-delimiter',
    'omit --wait to see the export itself',
  )
}

/**
 * Downloads the file of an export that is done; `out` is written completely or not at all.
 *
 * The address is never shown: it opens the file. Throws `api` (exit 3) for an export that failed, for one whose file
 * is on a foreign host; `network` (exit 5) for one that is not done yet, whose transfer fails, or whose file is not the
 * promised one: text in UTF-8 with the columns asked for, whole in its last line.
 */
export async function downloadExport(
  client: Pick<Client, 'download'>,
  job: ExportJob,
  { show, host: { stdout, stop } }: { show: Showing; host: Pick<Host, 'stdout' | 'stop'> },
): Promise<void> {
  const url = addressOf(job)
  const { out, csvForm: form, isForSpreadsheet = false } = show.shape
  const isFile = out !== undefined && out !== '-'
  const isTerminal = stdout.isTTY === true && !isFile
  const writer = isFile ? await outFile(out, stop) : writerTo(stdout, stop)
  const line = isFile ? await show.statusLine() : undefined
  const promised = promisedCsv(columnsOf(job))
  let [received, written] = [0, 0]
  async function* file() {
    for await (const text of decodePieces(client.download(url), job, (bytes) => (received += bytes))) {
      mustBePromised(job, promised.take(text))
      yield text
      line?.show(`${formatNumber(received)} bytes`)
    }
    mustBePromised(job, promised.end())
  }
  const look = form && { form, isForSpreadsheet, raw: !isForSpreadsheet, isTerminal }
  try {
    for await (const text of look ? reshape(file(), look, (reason) => notPromised(job, reason)) : file()) {
      await writer.write(isTerminal && !look ? forTerminal(text) : text)
      written += Buffer.byteLength(text)
    }
    line?.end()
    mustBeWhole(job, promised.repeated())
    await writer.finish()
  } catch (error) {
    line?.end()
    await writer.abandon()
    throw error
  }
  if (isFile) show.say(`wrote ${formatNumber(written)} bytes to ${out}`)
}

/** Throws `partial` for a file in which rows come twice, as a list that contradicts itself does. */
function mustBeWhole({ id }: ExportJob, repeats: number): void {
  if (repeats === 0) return
  throw new PromoError(
    'partial',
    `the file of export "${id}" may not have all rows: ${formatCount(repeats, 'row')} ${repeats === 1 ? 'repeats' : 'repeat'} the id of another one`,
    { hint: 'start the export again, and compare', retryable: true },
  )
}

function mustBePromised(job: ExportJob, problem: string | undefined): void {
  if (problem !== undefined) notPromised(job, problem)
}

function notPromised({ id }: ExportJob, problem: string): never {
  throw new PromoError('network', `the file of export "${id}" is not the promised one: ${problem}`, {
    hint: `promo exports download ${argumentWords(id)}`,
    retryable: true,
  })
}

/** How many columns were asked for; undefined where the service chose them, or metadata may be any number of columns. */
function columnsOf(job: ExportJob): number | undefined {
  const { fields } = (job.parameters ?? {}) as { fields?: unknown }
  if (!Array.isArray(fields) || fields.length === 0 || fields.includes('metadata')) return undefined
  return fields.length
}

function addressOf({ id, status, result }: ExportJob): string {
  if (status === 'ERROR') {
    throw new PromoError('api', `export "${id}" failed: the service could not make its file`, {
      hint: `promo exports get ${argumentWords(id)}`,
    })
  }
  if (typeof result?.url === 'string') return result.url
  if (status === 'DONE') throw new PromoError('api', `export "${id}" is done, but has no file`)
  throw new PromoError('network', `export "${id}" has no file yet: it is ${status}`, {
    hint: `promo exports download --wait ${argumentWords(id)}`,
    retryable: true,
  })
}

/** Text, because that is what writers take; the byte order mark is kept, and no byte is replaced silently. */
async function* decodePieces(
  pieces: AsyncIterable<Uint8Array>,
  job: ExportJob,
  onBytes: (count: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const text = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      mustBePromised(job, 'it is not text in UTF-8')
      return ''
    }
  }
  for await (const piece of pieces) {
    onBytes(piece.length)
    yield text(piece)
  }
  yield text()
}

function forTerminal(text: string): string {
  return sanitize(text.replaceAll('\r\n', '\n'), { lines: true })
}

/** Returns CSV, as the service writes it, in the form of `look`. Calls `broken`, which throws, with the reason why it cannot be read. */
async function* reshape(
  text: AsyncIterable<string>,
  look: CsvLineLook,
  broken: (reason: string) => never,
): AsyncGenerator<string> {
  if (look.form?.mark && !look.isTerminal) yield '\ufeff'
  for await (const records of csvRecords(bytesOf(text), { delimiter: ',', isLenient: true })) {
    const lines = records.map((record) =>
      'rule' in record ? broken(record.message) : csvLine(record.values, record.values.map(columnAt), look),
    )
    yield lines.join('')
  }
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const piece of text) {
    if (piece === '') continue
    yield Buffer.from(isFirst ? piece.replace(/^\ufeff/, '') : piece)
    isFirst = false
  }
}

/** A negative number is no formula, in whichever column. */
function columnAt(_: string, at: number) {
  return { name: String(at), kind: 'number' } as const
}

// The file of an export in another form of CSV: for a spreadsheet, or with another delimiter. What its cells say stays.
import { csvRecords } from '../../../bulk/input/csv-records.ts'
import { type CsvLineLook, csvLine } from '../../../output/form/csv.ts'

/** Returns CSV, as the service writes it, in the form of `look`. Calls `broken`, which throws, with the reason why it cannot be read. */
export async function* reshaped(
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

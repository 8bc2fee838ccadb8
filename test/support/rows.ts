// Calls over many rows, as clients make them: a CSV file in a form, and the result once the work is done.
import type { TestSandbox } from './sandbox.ts'

const boundary = '----test-boundary'

/** The options of a call that uploads a CSV file in a form, with further parts. */
export function upload(file: string, more: Readonly<Record<string, string>> = {}) {
  const parts = [
    `Content-Disposition: form-data; name="file"; filename="rows.csv"\r\nContent-Type: text/csv\r\n\r\n${file}`,
    ...Object.entries(more).map(([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`),
  ]
  const raw = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
  return { raw, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

/** Waits for the work that an answer announced, and returns the action with its result. */
export async function ended({ call, settled }: TestSandbox, answer: { body: { async_action_id: string } }) {
  await settled()
  return call('GET', `/v1/async-actions/${answer.body.async_action_id}`).body
}

/** Returns the text of the report of an action. */
export async function reportOf({ call }: TestSandbox, action: { result: { reports: string[] } }): Promise<string> {
  const { pathname, search } = new URL(action.result.reports[0] ?? '')
  const pieces: string[] = []
  for await (const piece of call('GET', pathname, { query: search.slice(1), headers: { 'x-app-id': undefined } }).body)
    pieces.push(piece)
  return pieces.join('')
}

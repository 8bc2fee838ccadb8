// The other side of the control server: the calls over HTTP, and finding the sandbox that serves a file.
import { readJson } from '../../base/nesting.ts'
import { isRecord } from '../../base/record.ts'
import { openDataFileBriefly } from '../data-file.ts'
import { nextSteps, SandboxError, type SandboxErrorReason } from '../sandbox-error.ts'
import { controlledServers } from '../storage/open-servers.ts'
import { type Control, type ControlCall, controlCalls, controlPrefix } from './calls.ts'

/** Where a sandbox is served, and what opens its control server. */
export interface ControlAddress {
  url: string
  token: string
}

/**
 * Returns the latest live server of a data file; undefined when none has it open.
 *
 * Throws SandboxError: `no-file`, and those of opening the file.
 */
export function controlAddressOf(file: string): ControlAddress | undefined {
  const server = openDataFileBriefly(file, (store) => controlledServers(store.db)[0])
  return server && { url: server.url, token: server.control_token }
}

/** Moving the clock by years takes minutes, without a byte of the answer. */
const longestSilenceMs = 600_000

/**
 * Returns the calls of a sandbox that is served elsewhere. Each throws SandboxError: `not-served` when nothing answers, when what
 * does is no sandbox, and after ten minutes without a byte.
 */
export function remoteControl(
  { url, token }: ControlAddress,
  signal?: AbortSignal,
  silenceMs = longestSilenceMs,
): Control {
  return {
    call: async (name, body) => {
      const { method, path, query, list } = controlCalls[name] as ControlCall
      const target = new URL(controlPrefix + path, url)
      if (query)
        for (const [key, value] of Object.entries((body ?? {}) as Record<string, string | number | undefined>))
          if (value !== undefined) target.searchParams.set(key, String(value))
      const asked = { method, token, body: query ? undefined : body, silenceMs }
      const { status, text } = await send(target, asked, signal)
      const answer = objectOf(text)
      const rows = list === undefined ? [] : answer?.[list]
      if (answer && status === 200 && Array.isArray(rows) && rows.every(isRecord)) return answer as never
      if (answer && status !== 200 && (answer.code ?? answer.statusCode) === status) throw refusal(status, answer, url)
      throw new SandboxError('not-served', `what answers at ${url} is no sandbox`, { hint: 'promo sandbox start' })
    },
  }
}

function refusal(status: number, { key, message, details, hint }: Record<string, unknown>, url: string): SandboxError {
  const words = String(details ?? message).slice(0, mostCharacters)
  if (status === 401)
    return new SandboxError('control-refused', `the sandbox at ${url} refused the control token`, {
      hint: 'use the control_token that this sandbox printed at its start, with --json',
    })
  if (status === 403 || status === 421)
    return new SandboxError('control-refused', `the sandbox at ${url} cannot be controlled from here: ${words}`)
  const reason = status === 400 ? 'bad-control' : isReason(key) ? key : 'not-served'
  const known = Object.values(nextSteps).find((step) => step === hint)
  return new SandboxError(reason, `the sandbox at ${url} refused: ${words}`, known === undefined ? {} : { hint: known })
}

const reasons: readonly SandboxErrorReason[] = ['held', 'file-access', 'not-a-sandbox', 'incomplete', 'newer-schema']

function isReason(key: unknown): key is SandboxErrorReason {
  return reasons.some((reason) => reason === key)
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const answer = readJson(text)
    return isRecord(answer) ? answer : undefined
  } catch {
    return undefined
  }
}

/** Of what another process says, as much as an error has. */
const mostCharacters = 1000
const limitBytes = 64 * 1024 * 1024

function send(
  url: URL,
  { method, token, body, silenceMs }: { method: string; token: string; body: unknown; silenceMs: number },
  signal: AbortSignal | undefined,
): Promise<{ status: number; text: string }> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const text = body === undefined ? '' : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const rejectUnserved = (cause: unknown) =>
      reject(
        new SandboxError('not-served', `no sandbox answers at ${url.origin}`, { hint: 'promo sandbox start', cause }),
      )
    const headers = {
      authorization: `Bearer ${token}`,
      'content-length': Buffer.byteLength(text),
      ...(text !== '' && { 'content-type': 'application/json' }),
    }
    const asked = request(url, { method, headers, agent: false, timeout: silenceMs, ...(signal && { signal }) })
    asked.on('error', rejectUnserved)
    asked.on('timeout', () => {
      const message = `the sandbox at ${url.origin} does not answer; whether it did what was asked is not known`
      reject(new SandboxError('not-served', message, { hint: 'stop that sandbox, and start it again' }))
      asked.destroy()
    })
    asked.on('response', (response) => {
      const chunks: Buffer[] = []
      let sizeBytes = 0
      response.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length
        if (sizeBytes > limitBytes) response.destroy(new Error('the answer is too large'))
        else chunks.push(chunk)
      })
      response.on('error', rejectUnserved)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    asked.end(text)
  })
}

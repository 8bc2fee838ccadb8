// The other side of the control door: the calls over HTTP, and finding the sandbox that serves a file.
import { readJson } from '../../base/nesting.ts'
import { openDataFileBriefly } from '../data-file.ts'
import { SandboxError, type SandboxErrorReason } from '../sandbox-error.ts'
import { controlledServers } from '../storage/open-servers.ts'
import { type Control, type ControlCall, controlCalls, controlPrefix } from './calls.ts'

/** Where a sandbox is served, and what opens its control door. */
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

/** Returns the calls of a sandbox that is served elsewhere. Each throws SandboxError; `not-served` when nothing answers. */
export function remoteControl({ url, token }: ControlAddress, signal?: AbortSignal): Control {
  return {
    call: async (name, body) => {
      const { method, path, query } = controlCalls[name] as ControlCall
      const target = new URL(controlPrefix + path, url)
      if (query)
        for (const [key, value] of Object.entries((body ?? {}) as Record<string, string | number | undefined>))
          if (value !== undefined) target.searchParams.set(key, String(value))
      const { status, text } = await sent(target, { method, token, body: query ? undefined : body }, signal)
      const answer = jsonOf(text, url)
      if (status === 200) return answer as never
      throw refusal(status, answer as Partial<Failure>, url)
    },
  }
}

interface Failure {
  key: string
  message: string
  details: string
  hint: string
}

function refusal(status: number, { key, message, details, hint }: Partial<Failure>, url: string): SandboxError {
  if (status === 401)
    return new SandboxError('control-refused', `the sandbox at ${url} refused the control token`, {
      hint: 'use the control_token that this sandbox printed at its start, with --json',
    })
  if (status === 403 || status === 421)
    return new SandboxError(
      'control-refused',
      `the sandbox at ${url} cannot be controlled from here: ${details ?? message ?? status}`,
    )
  const reason = status === 400 ? 'bad-control' : isReason(key) ? key : 'not-served'
  const words = details ?? message ?? `it answered ${status}`
  return new SandboxError(reason, `the sandbox at ${url} refused: ${words}`, hint === undefined ? {} : { hint })
}

const reasons: readonly SandboxErrorReason[] = ['held', 'file-access', 'not-a-sandbox', 'incomplete', 'newer-schema']

function isReason(key: string | undefined): key is SandboxErrorReason {
  return reasons.some((reason) => reason === key)
}

function jsonOf(text: string, url: string): unknown {
  try {
    return readJson(text)
  } catch (cause) {
    throw new SandboxError('not-served', `what answers at ${url} is no sandbox`, { cause })
  }
}

const limitBytes = 64 * 1024 * 1024

function sent(
  url: URL,
  { method, token, body }: { method: string; token: string; body: unknown },
  signal: AbortSignal | undefined,
): Promise<{ status: number; text: string }> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const text = body === undefined ? '' : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const unserved = (cause: unknown) =>
      reject(
        new SandboxError('not-served', `no sandbox answers at ${url.origin}`, { hint: 'promo sandbox start', cause }),
      )
    const headers = {
      authorization: `Bearer ${token}`,
      'content-length': Buffer.byteLength(text),
      ...(text !== '' && { 'content-type': 'application/json' }),
    }
    const asked = request(url, { method, headers, agent: false, ...(signal && { signal }) })
    asked.on('error', unserved)
    asked.on('response', (response) => {
      const chunks: Buffer[] = []
      let sizeBytes = 0
      response.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length
        if (sizeBytes > limitBytes) response.destroy(new Error('the answer is too large'))
        else chunks.push(chunk)
      })
      response.on('error', unserved)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    asked.end(text)
  })
}

// Jobs of one test: a folder of its own, command lines that make jobs in it, and their state afterwards.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type RunOptions, testHome } from './promo.ts'
import { type Action, type Asked, answer, type ScriptedServer, scriptedServer } from './scripted-server.ts'
import { root } from './source-files.ts'

/** A job as `jobs list` shows it. */
export interface Listed extends Record<string, unknown> {
  id: string
  path: string
  state: string
  done: number
}

export const onSandbox = ['--profile', 'sandbox']

/** Stops a run when its first outcomes are shown. */
export const stopEarly: RunOptions = { onStdout: (_, stop) => stop('SIGINT') }

/** A command line that disables many vouchers of the sandbox. */
export const disable = (path: string, ...more: string[]) => [
  ...'vouchers disable --from'.split(' '),
  path,
  '--yes',
  ...onSandbox,
  ...more,
]

/** An input of this many codes, none of which exists in a sandbox. */
export const codes = (count: number) => `code\n${Array.from({ length: count }, (_, at) => `C-${at}\n`).join('')}`

/** Two rows for `events send`, and the service's answer to each. */
export const twoEvents = '{"event":"e","customer":{"source_id":"a"}}\n{"event":"e","customer":{"source_id":"b"}}\n'
export const sent = answer(200, { object: 'event', type: 'e', customer: { id: 'c' } })

/** The code in a request. */
export const codeOf = ({ url }: Asked) => decodeURIComponent(url.split('/')[3] ?? '')

/** The answer to a request that disabled a voucher. */
export const voucher = (asked: Asked): Action =>
  answer(200, { id: 'v_1', object: 'voucher', code: codeOf(asked), active: false, updated_at: '2026-01-02T00:00:00Z' })

/** Two hundred codes of the sandbox: enough to stop a job before it ends. */
export const leakedCodes = `${readFileSync(join(root, 'examples/leaked-codes.csv'), 'utf8').split('\n', 201).join('\n')}\n`

/** The summary that ends JSON Lines. */
export const summaryOf = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}')

/** Gives each test of a file a home with jobs. Call it once, where tests are declared. */
export function jobDesk() {
  const home = testHome()
  const { promo, input } = home
  let server: ScriptedServer | undefined

  afterEach(async () => {
    await server?.[Symbol.asyncDispose]()
    server = undefined
  })

  async function jobs(): Promise<Listed[]> {
    return JSON.parse((await promo(['jobs', 'list', '--json'])).stdout)
  }

  return {
    get folder() {
      return home.folder
    },
    promo,
    input,
    /** An input of two hundred codes of the sandbox. */
    leaked: () => input('leaked.csv', leakedCodes),
    /** All jobs, the newest first. */
    jobs,
    newestJob: async () => (await jobs())[0]?.id ?? '',
    /** The rows of a report. */
    rowsOf: async (...report: string[]): Promise<Record<string, unknown>[]> => {
      const { stdout } = await promo(['jobs', 'report', ...report, '--jsonl'])
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    },
    /** Starts a service with scripted answers; it ends with the test. */
    serve: async (...script: Parameters<typeof scriptedServer>): Promise<ScriptedServer> => {
      server = await scriptedServer(...script)
      return server
    },
    /** The requests that this service has received. */
    serverAsked: () => server?.asked ?? [],
    /** The environment in which promo calls that service. */
    env: () => ({ PROMO_BASE_URL: server?.origin ?? '', PROMO_APP_ID: 'app', PROMO_APP_TOKEN: 'token' }),
  }
}

// Every exit code that a command declares can be provoked: once for each building block that adds it, and once for each
// command that declares it itself. Every other test proves that none is missing (test/support/promo.ts).
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { tryLock } from '../../src/base/lock.ts'
import { blocksOf, ownExitsOf } from '../../src/cli/facts.ts'
import type { StopReason } from '../../src/cli/run/host.ts'
import { lockCopy } from '../../src/cli/topics/ledger/copy-file.ts'
import { allCommands, promoIn, type Ran, type RunOptions } from '../support/promo.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Action, type Asked, answer, scriptedServer } from '../support/scripted-server.ts'
import { whileServing } from '../support/serving.ts'
import { keys } from '../support/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'promo-exits-'))
const promo = promoIn(folder)
const sandbox = ['--profile', 'sandbox']
const disable = ['vouchers', 'disable']
const at = (name: string) => join(folder, name)

afterEach(() => void vi.restoreAllMocks())

/** Writes a file that the command line reads. */
function put(name: string, text: string): string {
  writeFileSync(at(name), text, { mode: 0o600 })
  return at(name)
}

/** Runs against a service that treats every request the same way, or as a function decides. */
async function against(script: Action | ((asked: Asked) => Promise<Action>), argv: string[], env = {}): Promise<Ran> {
  await using server = await scriptedServer(typeof script === 'function' ? script : [script])
  return await promo(argv, { env: { PROMO_BASE_URL: server.origin, PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 't', ...env } })
}

/** Answers with a list of only these items. */
const listing = (data: object[]) =>
  answer(200, { object: 'list', data_ref: 'data', data, id: 'qfl_1', total: data.length, has_more: false })

const brokenBalance = [
  [1, 10],
  [2, 99],
].map(([n, balance]) => ({
  id: `vtx_${n}`,
  voucher_id: 'v_1',
  type: 'POINTS_ADDITION',
  details: { balance: { type: 'loyalty_card', points: 10, balance } },
  created_at: '2026-01-01T00:00:00.000Z',
}))

/** Stops a listing at its first rows. */
const stoppedBy = (reason: StopReason) => () =>
  promo(['vouchers', 'list', '--jsonl', ...sandbox], { onStdout: (_, stop) => stop(reason) })

/** Runs with a variable that does not name a folder. */
const without = (variable: string, argv: string[]) => () => promo(argv, { env: { [variable]: 'not/absolute' } })

/** Validates a cart that does not apply, as a job, then runs a command on that job. */
const afterWrongCart =
  (...words: string[]) =>
  async () => {
    const carts = put('wrong.jsonl', '{"redeemables":[{"object":"voucher","id":"NONE"}],"order":{"amount":5000}}\n')
    await promo(['validate', 'redeemables', '--from', carts, ...sandbox])
    const { stdout } = await promo('jobs list --json')
    const jobs: { id: string; command: string }[] = JSON.parse(stdout)
    const job = jobs.find(({ command }) => command === 'validate redeemables')
    const [topic = '', verb = '', ...flags] = words
    return await promo([topic, verb, job?.id ?? '', ...flags])
  }

/** Pulls a copy while another process has its lock. */
async function onHeldCopy(): Promise<Ran> {
  const data = at('held-copy.db')
  const lock = await lockCopy(data, { now: Date.now })
  try {
    return await promo(['ledger', 'pull', '--data', data, ...sandbox])
  } finally {
    lock.release()
  }
}

/** Pulls a copy, changes a balance in it, and reads it. */
async function onBrokenCopy(verb: string): Promise<Ran> {
  const data = at(`${verb}.db`)
  await promo(['ledger', 'pull', '--data', data, ...sandbox])
  const copy = new DatabaseSync(data)
  copy.exec('UPDATE transactions SET balance = balance + 1')
  copy.close()
  return await promo(['ledger', verb, '--data', data])
}

/** Runs `words` on the journal that a running job holds. */
async function heldJob(words: (journal: string) => string[]): Promise<Ran> {
  const journal = join(mkdtempSync(at('held-')), 'job')
  const asked = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  const first = against(async () => {
    asked.resolve()
    await mayAnswer.promise
    return answer(404)
  }, [...disable, 'A', '--journal', journal])
  await asked.promise
  const second = await promo(words(journal))
  mayAnswer.resolve()
  await first
  return second
}

/** A change of the sandbox when it had another project. */
async function changedElsewhere(): Promise<Ran> {
  const about = { at: '2026-01-01T00:00:00.000Z', command: 'categories create', profile: 'sandbox', service: 'sandbox' }
  const call = { call: 'categories.create', method: 'POST', path: '/v1/categories', outcome: 'applied' }
  const change = { id: 'elsewhere', ...about, ...call, project: 'proj_other', subject: 'cat_1', after: { id: 'cat_1' } }
  mkdirSync(at('state/history'), { recursive: true, mode: 0o700 })
  put('state/history/2026-01-01.jsonl', JSON.stringify(change))
  return await promo('history undo elsewhere --yes')
}

/** Renames a key of a folder while another process applies it. */
async function renamedMeanwhile(): Promise<Ran> {
  await promo(['config', 'pull', at('shop'), ...sandbox])
  const [project = ''] = readdirSync(at('shop/.promo/ids'))
  const lockPath = at(`state/config/${project.replace('.json', '.lock')}`)
  const lock = await tryLock(lockPath, { pid: 1, host: 'another', since: '2026-01-01T00:00:00.000Z' })
  const renamed = await promo(['config', 'mv', 'categories', 'seasonal', 'season', '--dir', at('shop')])
  lock.release?.()
  return renamed
}

async function changedInput(): Promise<Ran> {
  const journal = ['--journal', at('changed'), ...sandbox]
  await promo([...disable, 'MORNING', ...journal])
  return await promo([...disable, 'WEEKEND', ...journal])
}

function missingShards(command: string): () => Promise<Ran> {
  return async () => {
    const codes = put('codes.csv', 'code\nMORNING\nWEEKEND\n')
    for (const shard of ['0/3', '1/3'])
      await promo([...disable, '--from', codes, '--shard', shard, '--journal', at('shards'), '--yes', ...sandbox])
    return await promo(['jobs', command, at('shards')])
  }
}

async function settingsInUse(): Promise<Ran> {
  await promo('profiles use sandbox')
  const lock = await tryLock(at('config/settings.lock'), { pid: 1, host: 'elsewhere', since: '2026-01-02' })
  // The clock advances ten seconds per reading, or the test would wait as long as promo does.
  let nowMs = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => {
    nowMs += 10_000
    return nowMs
  })
  try {
    return await promo('profiles use sandbox')
  } finally {
    lock.release?.()
  }
}

async function sandboxInUse(): Promise<Ran> {
  const data = ['--data', at('used.db')]
  const { promise, resolve } = Promise.withResolvers<Ran>()
  await promo(['sandbox', 'start', ...data], {
    onStdout: async (_, stop) => {
      resolve(await promo(['sandbox', 'reset', '--yes', ...data]))
      stop('SIGINT')
    },
  })
  return await promise
}

/** A file that a server of an earlier version has open. */
async function heldSandbox(): Promise<Ran> {
  const data = ['--data', at('held.db')]
  await promo(['sandbox', 'seed', ...data])
  const db = new DatabaseSync(at('held.db'))
  db.exec("PRAGMA user_version=2; DELETE FROM meta WHERE name = 'layout'")
  db.exec('CREATE TABLE IF NOT EXISTS holders (n INTEGER PRIMARY KEY, pid INTEGER, url TEXT, since TEXT)')
  db.exec(`INSERT INTO holders (pid, url, since) VALUES (${process.pid}, '', '')`)
  db.close()
  return await promo(['sandbox', 'clock', 'show', ...data])
}

/** A sandbox whose file is deleted while it serves. */
async function removedSandbox(): Promise<Ran> {
  let ran: Ran | undefined
  await whileServing(promo, ['--data', at('removed.db')], async ({ url, control_token }) => {
    rmSync(at('removed.db'))
    ran = await promo(`sandbox clock set 2099-01-01 --url ${url}`, {
      env: { PROMO_SANDBOX_CONTROL_TOKEN: control_token },
    })
  })
  return ran as Ran
}

const onTerminal: RunOptions = {
  terminal: { columns: 100 },
  env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' },
  answers: [[/no keyring/, `n${keys.enter}`]],
}

const delivery = ['webhooks', 'verify', 'examples/delivery.json', '--signature', '00', '--secret-stdin']

const refusedByReceiver =
  (...words: string[]) =>
  async () => {
    const receiver = await startReceiver((response) => response.writeHead(401).end(), { isEdited: true })
    try {
      return await promo(['webhooks', ...words, '--url', receiver.url])
    } finally {
      await receiver.close()
    }
  }

/** What provokes each code, by the block or the command that declares it. */
const provocations: Record<string, () => Promise<Ran>> = {
  'every command: 0': () => promo('version'),
  'every command: 1': () =>
    promo(['skus', 'list', 'house-blend', '--start-date', '7d', ...sandbox], {
      now: () => {
        throw new Error('the clock is broken')
      },
    }),
  'every command: 2': () => promo('version --unknown'),
  'every command: 10': () => promo(['version', '--json', '--out', at('nowhere/version.json')]),
  'every command: 129': stoppedBy('SIGHUP'),
  'every command: 130': stoppedBy('SIGINT'),
  'every command: 141': stoppedBy('EPIPE'),
  'every command: 143': stoppedBy('SIGTERM'),
  'calls: 3': () => promo(['vouchers', 'get', 'NONE', ...sandbox]),
  'calls: 4': () => against(answer(401), ['vouchers', 'get', 'X']),
  'calls: 5': () => against(answer(503), ['vouchers', 'get', 'X', '--retries', '0']),
  'writes: 6': () => against({ do: 'reset' }, [...disable, 'X', '--retries', '0']),
  'job: 7': () =>
    promo([...disable, 'NONE-1', 'NONE-2', '--yes', '--max-errors', '0', '--concurrency', '1', ...sandbox]),
  'job: 8': () => heldJob((journal) => [...disable, 'A', '--journal', journal, ...sandbox]),
  'job: 9': changedInput,
  'journal: 4': without('PROMO_STATE_DIR', ['jobs', 'show', 'X']),
  'journal: 9': () => promo(`jobs show ${put('damaged.journal', 'not a journal')}`),
  'jobs folder: 4': without('PROMO_STATE_DIR', ['jobs', 'list']),
  'settings: 4': without('PROMO_CONFIG_DIR', ['profiles', 'list']),
  'changed settings: 4': without('PROMO_CONFIG_DIR', ['profiles', 'use', 'sandbox']),
  'changed settings: 8': settingsInUse,
  'sandbox file: 2': () => promo(['sandbox', 'status', '--data', at('none.db')]),
  'sandbox file: 4': () => promo(`sandbox status --data ${put('text.db', 'this is no database'.repeat(100))}`),
  'sandbox file: 8': sandboxInUse,
  'sandbox file: 10': () => promo(`sandbox seed --data ${join(put('file', ''), 'shop.db')}`),
  'control: 2': () => promo(['sandbox', 'clock', 'show', '--data', at('none.db')]),
  'control: 4': () => promo(`sandbox clock show --data ${put('not-a-shop.db', 'this is no database'.repeat(100))}`),
  'control: 5': () =>
    promo('sandbox clock show --url http://127.0.0.1:9', { env: { PROMO_SANDBOX_CONTROL_TOKEN: 't' } }),
  'control: 8': heldSandbox,
  'control: 10': removedSandbox,
  'confirmation: 11': () => promo([...disable, 'A', 'B', ...sandbox], { stdin: '' }),
  'config:mv: 8': renamedMeanwhile,
  'jobs:discard: 8': () => heldJob((journal) => ['jobs', 'discard', journal, '--yes']),
  'jobs:report: 6': missingShards('report'),
  'jobs:resume: 12': afterWrongCart('jobs', 'resume'),
  'jobs:show: 6': missingShards('show'),
  'jobs:retry: 12': afterWrongCart('jobs', 'retry', '--only', 'temporary'),
  'history:undo: 9': changedElsewhere,
  'copy: 4': () => promo(['ledger', 'pull', '--data', put('list.db', 'shopping'), ...sandbox]),
  'copy: 8': onHeldCopy,
  'ledger:pull: 12': () =>
    against(
      async ({ url }) => {
        const [, list = ''] = /^\/v1\/(\w+)/.exec(url) ?? []
        return list === 'orders'
          ? answer(403, { key: 'forbidden' })
          : answer(200, { object: 'list', data_ref: list, [list]: [], total: 0 })
      },
      ['ledger', 'pull', '--data', at('refused.db')],
    ),
  'ledger:balances: 12': () => onBrokenCopy('balances'),
  'ledger:report: 12': () => onBrokenCopy('report'),
  'ledger:reconcile: 12': async () => {
    const copy = ['--data', at('whole.db'), ...sandbox]
    await promo(['ledger', 'pull', ...copy])
    return await promo(['ledger', 'reconcile', '--order-id', 'northlight-2006', '--status', 'refunded', ...copy])
  },
  'loyalty:transactions:verify: 12': () =>
    against(listing(brokenBalance), ['loyalty', 'transactions', 'verify', '--card', 'C']),
  'profiles:add: 11': () => promo('profiles add live --region eu', onTerminal),
  'check: 12': () => promo('check examples/shop'),
  'config:diff: 12': () => promo(['config', 'diff', 'test/fixtures/one-category', ...sandbox]),
  'config:plan: 12': () => promo(['config', 'plan', 'test/fixtures/one-category', '--exit-code', ...sandbox]),
  'config:pull: 12': () =>
    promo(['config', 'pull', at('shop'), '--only', 'webhooks'], {
      env: {
        PROMO_BASE_URL: 'http://127.0.0.1:9',
        PROMO_APP_ID: 'a',
        PROMO_APP_TOKEN: 't',
        PROMO_PROJECT_ID: 'proj_1',
      },
    }),
  'sandbox:copy: 12': () =>
    against(listing([]), ['sandbox', 'copy', '--data', at('copy.db')], { PROMO_PROJECT_ID: 'proj_1' }),
  'customers:find: 12': () => promo(['customers', 'find', 'Nobody', ...sandbox]),
  'qualify:campaigns: 12': () => against(listing([]), ['qualify', 'campaigns', '--amount', '5000']),
  'token:introspect: 12': () => promo(['token', 'introspect', ...sandbox], { stdin: 'unknown-token' }),
  'validate:promotions: 12': () => promo(['validate', 'promotions', '--amount', '1', ...sandbox]),
  'validate:redeemables: 12': () => promo(['validate', 'redeemables', 'NONE', '--amount', '5000', ...sandbox]),
  'webhooks:resend: 5': () => promo('webhooks resend examples/delivery.json --url http://127.0.0.1:9/'),
  'webhooks:resend: 12': refusedByReceiver('resend', 'examples/delivery.json'),
  'webhooks:trigger: 5': () =>
    promo(['webhooks', 'trigger', 'customer.created', '--url', 'http://127.0.0.1:9/', ...sandbox]),
  'webhooks:trigger: 12': refusedByReceiver('trigger', 'customer.created', ...sandbox),
  'webhooks:verify: 12': () => promo(delivery, { stdin: 'secretKey' }),
}

test.each(Object.entries(provocations))('%s', async (declared, provoke) => {
  const { exitCode, stderr } = await provoke()

  expect(exitCode, stderr).toBe(Number(declared.split(': ').at(-1)))
})

test('every declared exit code is provoked', async () => {
  const declared = new Set<string>()
  for (const { id, Class } of await allCommands()) {
    for (const { name, exits } of blocksOf(Class)) for (const code of exits) declared.add(`${name}: ${code}`)
    for (const code of ownExitsOf(Class)) declared.add(`${id}: ${code}`)
  }

  expect(Object.keys(provocations).toSorted()).toEqual([...declared].toSorted())
})

// Each shard runs as its own command line, as four processes would; the service records the requests.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readHeader } from '../../src/bulk/journal/job.ts'
import { forgetChange } from '../support/journals.ts'
import { type CommandLine, promoIn, type RunOptions, temporaryFolder, wordsOf } from '../support/promo.ts'
import { type Asked, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts'

let folder: string
let promo: ReturnType<typeof promoIn>
let service: ScriptedServer
let sentAt: number[]
/** Resolves before the service answers. */
let answering: () => Promise<void>

beforeEach(async () => {
  folder = temporaryFolder()
  promo = promoIn(folder)
  sentAt = []
  answering = async () => {}
  service = await scriptedServer(async (asked) => {
    sentAt.push(performance.now())
    await answering()
    return { do: 'answer', status: 200, body: answerTo(asked) }
  })
})
afterEach(() => service[Symbol.asyncDispose]())

function answerTo({ url, body }: Asked): object {
  if (url === '/v1/events') return { object: 'event', type: JSON.parse(body).event, customer: { id: 'cust_1' } }
  return { id: 'v_1', object: 'voucher', code: decodeURIComponent(url.split('/')[3] ?? ''), active: false }
}

/** Runs a command on a service that only records. */
const run = (line: CommandLine, { env, ...options }: RunOptions = {}) =>
  promo([...wordsOf(line), '--yes'], {
    ...options,
    env: { PROMO_BASE_URL: service.origin, PROMO_APP_ID: 'app', PROMO_APP_TOKEN: 'app-token', ...env },
  })

function input(name: string, lines: string[]): string {
  const path = join(folder, name)
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return path
}

function codes(count: number): string {
  return input('codes.csv', ['code', ...Array.from({ length: count }, (_, at) => `C-${at}`)])
}

const codesSent = () => service.asked.map(({ url }) => url.split('/')[3] ?? '')

const shards = [0, 1, 2, 3].map((index) => `${index}/4`)

function items(
  stdout: string,
): { t: string; line: number; code: string; state: string; shard: string; others: number }[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('four shards of one file', () => {
  test('send each row exactly once, and each shard reports how many rows the others have', async () => {
    const path = codes(200)

    const ran = await Promise.all(
      shards.map((shard) => run(['vouchers', 'disable', '--from', path, '--shard', shard, '--jsonl'])),
    )

    const summaries = ran.map(({ stdout }) => items(stdout).at(-1))
    expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
    expect(codesSent().toSorted()).toEqual(Array.from({ length: 200 }, (_, at) => `C-${at}`).toSorted())
    expect(summaries).toMatchObject([
      { shard: '0/4', total: 47, ok: 47, others: 153 },
      { shard: '1/4', total: 46, ok: 46, others: 154 },
      { shard: '2/4', total: 49, ok: 49, others: 151 },
      { shard: '3/4', total: 58, ok: 58, others: 142 },
    ])
    expect(ran[1]?.stderr).toMatch(
      /^shard 1\/4: disabled 46 vouchers \(46 rows in [\d.]+ s; 154 rows in other shards\)$/m,
    )
  })

  test('assign equal codes to the same shard, which deduplicates them', async () => {
    const path = input('codes.csv', ['code', 'WELCOME-001', 'LATTE ART/2026', 'WELCOME-001', 'WELCOME-001'])

    const ran = await Promise.all(shards.map((shard) => run(['vouchers', 'disable', '--from', path, '--shard', shard])))

    expect(codesSent().toSorted()).toEqual(['LATTE%20ART%2F2026', 'WELCOME-001'])
    expect(ran[3]?.stderr).toContain('shard 3/4: disabled 1 voucher, 2 rows deduplicated (3 rows in')
  })

  test('succeed where a shard has no rows, and report that this is no problem', async () => {
    const path = input('codes.csv', ['code', 'WELCOME-001'])

    const empty = await run(`vouchers disable --from ${path} --shard 0/4`)
    const again = await run(`vouchers disable --from ${path} --shard 0/4`)
    const full = await run(`vouchers disable --from ${path} --shard 3/4`)

    expect(empty).toEnd(0, /^shard 0\/4: nothing to do, 1 row in other shards$/m)
    expect(again).toEnd(0, /^shard 0\/4: nothing to do, 1 row in other shards$/m)
    expect(full.stderr).toMatch(/^shard 3\/4: disabled 1 voucher \(1 row in [\d.]+ s; 0 rows in other shards\)$/m)
  })

  test('report that an empty file has no rows', async () => {
    const ran = await run(`vouchers disable --from ${input('none.csv', ['code'])} --shard 0/4`)

    expect(ran).toEnd(0, /^shard 0\/4: the input has no rows$/m)
  })

  test('divide equal events, which are all sent, by their lines', async () => {
    const path = input('events.csv', [
      'event,customer.source_id',
      ...Array.from({ length: 40 }, () => 'visited,shop-1'),
    ])

    const ran = await Promise.all(
      shards.map((shard) => run(['events', 'send', '--from', path, '--shard', shard, '--jsonl'])),
    )

    const lines = ran.map(({ stdout }) => items(stdout).flatMap(({ t, line }) => (t === 'item' ? [line] : [])))
    expect(service.asked).toHaveLength(40)
    expect(lines.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 2))
    expect(lines[2]).toContain(2)
    expect(lines[2]).toContain(3)
    expect(Math.min(...lines.map(({ length }) => length))).toBeGreaterThan(4)
  })

  test('read the same rows from a pipe', async () => {
    const stdin = 'WELCOME-001\nLATTE ART/2026\nCAFÉ☕\n'

    const ran = await Promise.all(
      shards.map((shard) =>
        run(['vouchers', 'disable', '--from', '-', '--input-format', 'lines', '--shard', shard, '--jsonl'], { stdin }),
      ),
    )

    expect(ran.map(({ stdout }) => items(stdout).flatMap(({ code }) => code ?? []))).toEqual([
      [],
      ['LATTE ART/2026', 'CAFÉ☕'],
      [],
      ['WELCOME-001'],
    ])
  })

  test('show the requests of each, and send nothing', async () => {
    const { exitCode, stdout, stderr } = await run([
      ...'vouchers disable --from'.split(' '),
      codes(200),
      ...'--shard 1/4 --dry-run --jsonl'.split(' '),
    ])

    expect(exitCode).toBe(0)
    expect(items(stdout)).toHaveLength(46)
    expect(stderr).toContain(
      'dry run: would disable 46 vouchers; shard 1/4, 154 rows in other shards; nothing was sent',
    )
    expect(service.asked).toEqual([])
  })
})

describe('a bad row', () => {
  test('stops every shard before its first request', async () => {
    const path = input('codes.csv', ['code', 'C-1', ' C-2', 'C-3'])

    const ran = await Promise.all(shards.map((shard) => run(['vouchers', 'disable', '--from', path, '--shard', shard])))

    expect(ran.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2])
    for (const { stderr } of ran) expect(stderr).toContain('1 of 3 rows of')
    expect(service.asked).toEqual([])
  })

  test('is reported by exactly one shard where bad rows are skipped', async () => {
    const path = input('codes.csv', ['code', 'C-1', ' C-2', 'C-3', '', ' C-4', ' C-5'])

    const ran = await Promise.all(
      shards.map((shard) =>
        run(['vouchers', 'disable', '--from', path, '--shard', shard, '--skip-bad-rows', '--jsonl']),
      ),
    )

    const skipped = ran.flatMap(({ stdout }) => items(stdout).filter(({ state }) => state === 'skipped'))
    expect(skipped.map(({ line }) => line).toSorted((a, b) => a - b)).toEqual([3, 6, 7])
    expect(codesSent().toSorted()).toEqual(['C-1', 'C-3'])
    expect(ran.map(({ exitCode }) => exitCode)).toEqual([3, 0, 3, 0])
  })

  const rivals = ['code,type,discount.type,discount.percent_off', 'WELCOME-001,DISCOUNT_VOUCHER,PERCENT,10']

  test('that contradicts an earlier one stops every shard too, although one shard has both', async () => {
    const path = input('codes.csv', [...rivals, 'WELCOME-001,DISCOUNT_VOUCHER,PERCENT,20'])

    const ran = await Promise.all(shards.map((shard) => run(['vouchers', 'create', '--from', path, '--shard', shard])))

    expect(ran.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2])
    for (const { stderr } of ran) expect(stderr).toContain('line 3: "WELCOME-001" occurred on line 2 with other values')
    expect(service.asked).toEqual([])
  })

  test('that contradicts an earlier one is reported by the shard that has both', async () => {
    const path = input('codes.csv', [...rivals, 'WELCOME-001,DISCOUNT_VOUCHER,PERCENT,20'])

    const ran = await Promise.all(
      shards.map((shard) => run(['vouchers', 'create', '--from', path, '--shard', shard, '--skip-bad-rows'])),
    )

    expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 3])
    expect(codesSent()).toEqual(['WELCOME-001'])
    expect(readdirSync(join(folder, 'state/jobs')).filter((name) => name.startsWith('draft-'))).toEqual([])
  })
})

describe('the number of the shard', () => {
  test.each(['JOB_COMPLETION_INDEX', 'AWS_BATCH_JOB_ARRAY_INDEX', 'CLOUD_RUN_TASK_INDEX', 'SLURM_ARRAY_TASK_ID'])(
    'comes from %s',
    async (variable) => {
      const { stderr } = await run(['vouchers', 'disable', '--from', codes(200), '--shard', 'auto/4'], {
        env: { [variable]: '1' },
      })

      expect(stderr).toContain('shard 1/4: disabled 46 vouchers')
    },
  )

  test.each([
    [['--shard', '4/4'], {}, '--shard says shard "4", which is not one of 0 to 3'],
    [['--shard', '1'], {}, 'the shard "1" is not like 0/4 or auto/4'],
    [['--shard', 'auto/4'], {}, '--shard auto needs the number of this task in JOB_COMPLETION_INDEX,'],
    [['--shard', 'auto/4'], { SLURM_ARRAY_TASK_ID: '4' }, 'SLURM_ARRAY_TASK_ID says shard "4"'],
    [
      ['--shard', 'auto/4'],
      { AWS_BATCH_JOB_ARRAY_INDEX: '1', AWS_BATCH_JOB_ARRAY_SIZE: '3' },
      'AWS_BATCH_JOB_ARRAY_SIZE says that there are 3 tasks',
    ],
  ])('%j with %j is refused with exit 2', async (flags, env, message) => {
    expect(await run(['vouchers', 'disable', '--from', codes(3), ...flags], { env })).toEnd(2, message)
    expect(service.asked).toEqual([])
  })

  test('is refused for codes passed as arguments', async () => {
    expect(await run('vouchers disable C-1 C-2 --shard 0/2')).toEnd(2, '--from')
  })
})

describe('the journals of shards', () => {
  const disable = (...flags: string[]) => run(['vouchers', 'disable', '--from', join(folder, 'codes.csv'), ...flags])
  const dir = () => join(folder, 'journal')

  test('are in one folder, and each is continued by its own shard', async () => {
    codes(200)

    await Promise.all(shards.map((shard) => disable('--shard', shard, '--journal', dir())))
    const again = await disable('--shard', '1/4', '--journal', dir())

    expect(readdirSync(dir()).filter((name) => name.endsWith('.sqlite'))).toEqual([
      'shard-0-of-4.sqlite',
      'shard-1-of-4.sqlite',
      'shard-2-of-4.sqlite',
      'shard-3-of-4.sqlite',
    ])
    expect(again).toEnd(0, /^shard 1\/4: nothing left to do: job \S+ disabled these rows on/m)
    expect(service.asked).toHaveLength(200)
  })

  test.each([
    ['a job in 4 shards', ['--shard', '1/4'], ['--shard', '1/8']],
    ['a job in 4 shards', ['--shard', '1/4'], []],
    ['a job in one piece', [], ['--shard', '1/4']],
    ['a job in 4 shards', ['--shard', '1/4'], ['--shard', '1/8', '--restart']],
  ])('are not mixed with those of another number of shards: %s', async (held, first, second) => {
    codes(20)
    await disable(...first, '--journal', dir())
    const sent = service.asked.length

    expect(await disable(...second, '--journal', dir())).toEnd(9, `"${dir()}" holds ${held}; nothing was sent`)
    expect(service.asked).toHaveLength(sent)
  })

  test('are locked: a second process with the same shard is refused, one with another shard is not', async () => {
    codes(20)
    const firstAsked = Promise.withResolvers<void>()
    const mayAnswer = Promise.withResolvers<void>()
    answering = async () => {
      firstAsked.resolve()
      await mayAnswer.promise
    }

    const first = disable('--shard', '1/4', '--journal', dir())
    await firstAsked.promise
    const second = await disable('--shard', '1/4', '--journal', dir())
    mayAnswer.resolve()
    const other = await disable('--shard', '2/4', '--journal', dir())

    expect(second).toEnd(8, `the job is held by process ${process.pid}`)
    expect(other.exitCode).toBe(0)
    expect((await first).exitCode).toBe(0)
  })

  test('are kept apart in the state folder too', async () => {
    codes(20)

    await Promise.all(shards.map((shard) => disable('--shard', shard)))

    expect(readdirSync(join(folder, 'state/jobs')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(4)
    expect(existsSync(dir())).toBe(false)
  })

  test('contain the resolved shard, so that another process can continue it', async () => {
    codes(20)

    await run(['vouchers', 'disable', '--from', join(folder, 'codes.csv'), '--shard', 'auto/4', '--journal', dir()], {
      env: { JOB_COMPLETION_INDEX: '1' },
    })
    const byHand = await disable('--shard', '1/4', '--journal', dir())

    expect(readHeader(join(dir(), 'shard-1-of-4.sqlite')).flags).toMatchObject({ shard: '1/4' })
    expect(byHand).toEnd(0, 'nothing left to do')
  })
})

describe('the rate', () => {
  // 25 ms pass between two requests at a fourth of 160/s, 6 ms if undivided; the first one may arrive late.
  const gapsMs = () => sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0))
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

  test('is divided by the number of shards', async () => {
    await run(['vouchers', 'disable', '--from', codes(48), '--shard', '1/4', '--rate', '160/s'])

    expect(sentAt.length).toBeGreaterThan(8)
    expect(mean(gapsMs())).toBeGreaterThan(15)
  })

  test('of the profile is divided too', async () => {
    await promo(`profiles add shop --base-url ${service.origin} --rate 160/s --insecure-storage`, {
      env: { PROMO_APP_ID: 'app', PROMO_APP_TOKEN: 'app-token' },
    })
    await promo(['vouchers', 'disable', '--from', codes(48), '--shard', '1/4', '--profile', 'shop', '--yes'])

    expect(sentAt.length).toBeGreaterThan(8)
    expect(mean(gapsMs())).toBeGreaterThan(15)
  })
})

describe('a folder of shards', () => {
  const inShards = async (journal: string, of = 2, more = '') => {
    const path = join(folder, 'vouchers.csv')
    writeFileSync(path, `code\nMORNING\nPAUSED\nWEEKEND\n${more}`)
    const line = ['vouchers', 'disable', '--from', path, '--journal', journal, '--profile', 'sandbox', '--yes']
    for (let index = 0; index < of; index += 1) await promo([...line, '--shard', `${index}/${of}`])
  }
  const isOn = async (code: string) =>
    JSON.parse((await promo(['vouchers', 'get', code, '--json', '--profile', 'sandbox'])).stdout).active

  test('is undone, resumed and retried shard by shard', async () => {
    const journal = join(folder, 'parts')
    await inShards(journal)
    const off = [await isOn('MORNING'), await isOn('WEEKEND')]

    const resumed = await promo(['jobs', 'resume', journal, '--yes'])
    const retried = await promo(['jobs', 'retry', journal, '--only', 'failed', '--yes'])
    const undone = await promo(['jobs', 'undo', journal, '--yes', '--jsonl'])

    expect([resumed.exitCode, retried.exitCode, undone.exitCode]).toEqual([0, 0, 0])
    expect(resumed.stderr.match(/nothing left to do/g)).toHaveLength(2)
    expect(off).toEqual([false, false])
    expect([await isOn('MORNING'), await isOn('PAUSED'), await isOn('WEEKEND')]).toEqual([true, false, true])
    expect(undone.stdout.match(/"t":"item"/g)).toHaveLength(2)
  })

  test('ends with the worst of its shards, and counts a missing one as unknown', async () => {
    const journal = join(folder, 'parts')
    await inShards(journal, 3, 'WELCOME-001\nWELCOME-002\nWELCOME-003\nWELCOME-004\n')
    const [first = '', , last = ''] = readdirSync(journal)
      .filter((name) => name.endsWith('.sqlite'))
      .toSorted()
    forgetChange(join(journal, first), 1)

    const undone = await promo(['jobs', 'undo', journal, '--yes', '--jsonl'])
    rmSync(join(journal, last))
    const missing = await promo(['jobs', 'undo', journal, '--yes', '--jsonl'])

    expect(undone.exitCode).toBe(6)
    expect(missing.stderr).toContain('shards missing: 2; nothing was done about their rows')
    expect(missing.exitCode).toBe(6)
  })

  test('of one shard alone is told which others are missing, unless its file is named', async () => {
    const journal = join(folder, 'parts')
    await inShards(journal, 3, 'WELCOME-001\nWELCOME-002\nWELCOME-003\nWELCOME-004\n')
    const [first = '', ...others] = readdirSync(journal)
      .filter((name) => name.endsWith('.sqlite'))
      .toSorted()
    for (const other of others) rmSync(join(journal, other))

    const ofFolder = await promo(['jobs', 'resume', journal, '--yes'])
    const ofFile = await promo(`jobs resume ${join(journal, first)} --yes`)

    expect(ofFolder.stderr).toContain('shards missing: 1, 2; nothing was done about their rows')
    expect(ofFile.stderr).not.toContain('missing')
    expect([ofFolder.exitCode, ofFile.exitCode]).toEqual([0, 0])
  })

  test('is not written into one file', async () => {
    const journal = join(folder, 'parts')
    await inShards(journal)

    const ran = await promo(['jobs', 'undo', journal, '--yes', '--csv'])

    expect(ran).toEnd(2, 'holds 2 shards, whose outcomes follow one another')
  })
})

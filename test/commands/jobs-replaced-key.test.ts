// What becomes of a job when its key is replaced before it has ended.
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, codes, jobDesk, stopEarly, summaryOf, voucher } from '../support/jobs.ts'
import { type Action, type Asked, answer } from '../support/scripted-server.ts'

const desk = jobDesk()
const { promo, input, newestJob } = desk

/** The only key that the service accepts. */
let validKey = 'app-1'

beforeEach(async () => {
  validKey = 'app-1'
  const stamps = new Map<string, string>()
  await desk.serve((asked: Asked) => {
    if (asked.headers['x-app-id'] !== validKey) return answer(401, { code: 401, key: 'unauthorized' })
    const { body, ...rest } = voucher(asked) as Extract<Action, { do: 'answer' }>
    // Only the first call changes a voucher.
    const updated_at = stamps.get(codeOf(asked)) ?? new Date().toISOString()
    stamps.set(codeOf(asked), updated_at)
    return { ...rest, body: { ...(body as object), updated_at, active: asked.url.endsWith('/enable') } }
  })
})

async function addProfile(...flags: string[]) {
  const origin = desk.env().PROMO_BASE_URL
  const add = ['profiles', 'add', 'shop', '--base-url', origin, '--app-id', 'app-1', '--insecure-storage']
  expect((await promo([...add, ...flags], { stdin: 'token-1\n' })).stderr).toContain('stored profile shop')
}

/** Replaces the key at the service and in the profile, as after a leak. */
async function replaceKey(...flags: string[]) {
  validKey = 'app-2'
  const update = ['profiles', 'update', 'shop', '--app-id', 'app-2', ...flags]
  expect((await promo(update, { stdin: 'token-2\n' })).exitCode).toBe(0)
}

const disableAll = () => ['vouchers', 'disable', '--from', input('c.csv', codes(40)), '--yes', '--jsonl', '-p', 'shop']

async function stoppedJob(): Promise<string> {
  await promo([...disableAll(), '--concurrency', '1'], stopEarly)
  return await newestJob()
}

describe('a job whose key is replaced before it has ended', () => {
  test('goes on without a question where its profile knows the project', async () => {
    await addProfile('--project-id', 'proj_1')
    const id = await stoppedJob()
    await replaceKey()

    const { exitCode, stdout, stderr } = await promo(`jobs resume ${id} --yes --jsonl`)

    expect(exitCode).toBe(0)
    expect(summaryOf(stdout)).toMatchObject({ job: id, total: 40, ok: 40 })
    expect(stderr).toContain(`profile shop (from job ${id}), project proj_1`)
  })

  test('is refused with a next step that ends it, and remembers the answer', async () => {
    await addProfile()
    const id = await stoppedJob()
    await replaceKey()

    const refused = await promo(`jobs resume ${id} --yes`)
    const stoppedAgain = await promo(
      ['jobs', 'resume', id, '--yes', '--jsonl', '--same-project', '--concurrency', '1'],
      stopEarly,
    )
    const ended = await promo(`jobs resume ${id} --yes --jsonl`)

    expect(refused).toEnd(
      9,
      'whether profile "shop" still leads to its project is unknown; nothing was sent',
      'add --same-project if it does\n',
    )
    expect(stoppedAgain.exitCode).toBe(130)
    expect(ended.exitCode).toBe(0)
    expect(summaryOf(ended.stdout)).toMatchObject({ total: 40, ok: 40 })
  })

  test('goes on with its own command line, where --restart is the other way', async () => {
    await addProfile()
    await stoppedJob()
    await replaceKey()

    const refused = await promo(disableAll())
    const ended = await promo([...disableAll(), '--same-project'])

    expect(refused).toEnd(9, 'add --same-project if it does, or --restart to start over')
    expect(ended.exitCode).toBe(0)
    expect(summaryOf(ended.stdout)).toMatchObject({ total: 40, ok: 40 })
  })

  test('asks on a terminal whether the project is the same, and sends nothing unless it is', async () => {
    await addProfile()
    const id = await stoppedJob()
    await replaceKey()
    const resume = ['jobs', 'resume', id, '--yes', '--jsonl']
    const question = /still lead to the same\s+project\?/

    const declined = await promo(resume, { terminal: { columns: 120 }, answers: [[question, '\r']] })
    const agreed = await promo(resume, { terminal: { columns: 120 }, answers: [[question, 'y\r']] })

    expect([declined.exitCode, agreed.exitCode]).toEqual([9, 0])
  })

  test('is undone after the same question', async () => {
    await addProfile()
    await promo(disableAll())
    const id = await newestJob()
    await replaceKey()

    const refused = await promo(`jobs undo ${id} --yes`)
    const allowed = await promo(`jobs undo ${id} --yes --same-project`)

    expect([refused.exitCode, allowed.exitCode]).toEqual([9, 0])
    expect(refused.stderr).toContain('add --same-project if it does\n')
    expect(allowed.stderr).toContain('enabled ')
  })

  test('stays refused when the profile now leads to another project, whatever the user says', async () => {
    await addProfile('--project-id', 'proj_1')
    const id = await stoppedJob()
    await replaceKey('--project-id', 'proj_2')

    const ran = await promo(`jobs resume ${id} --yes --same-project`)

    expect(ran).toEnd(9, 'it was made for another project (proj_1, ', 'profile "shop" now leads to proj_2, ')
  })

  test('is recognised by its key when its profile learned the project only later', async () => {
    await addProfile()
    const id = await stoppedJob()
    await promo('profiles update shop --project-id proj_1')

    expect(await promo(`jobs resume ${id} --yes --jsonl`)).toEnd(0)
  })
})

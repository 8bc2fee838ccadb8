// A call that replaces an object as a whole takes what the command line does not name from the object as it is.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bodyFlags, outputFlags, serviceFlags, writeFlags } from '../../src/cli/flags/flags.ts'
import { projectFlag } from '../../src/cli/session/project.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { keysFor, lines } from '../support/command-lines.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

const modules: Record<string, Record<string, unknown>> = import.meta.glob('../../src/contract/*.ts', { eager: true })
const puts = Object.values(modules)
  .flatMap((module) => Object.values(module) as (Partial<Endpoint> | undefined)[])
  .filter((call): call is Endpoint => call?.method === 'PUT' && call.body !== undefined)

test('every call that needs all of an object is declared as replacing it', () => {
  const needing = puts.filter(({ body }) => {
    const { required = [] } = z.toJSONSchema(body as z.ZodType, { unrepresentable: 'any', io: 'input' })
    return required.length > 0
  })

  expect(new Set(puts.filter(({ replaces }) => replaces))).toEqual(new Set(needing))
})

/** What is stored, by what it is; the service may know more than promo. */
const stored: Readonly<Record<string, object>> = {
  category: { name: 'Seasonal', hierarchy: 1 },
  webhook: { target_url: 'https://a.example/', events: ['voucher.enchanted'], active: false },
}

/** What a flag is given, and the member that it sets. */
const given: Readonly<Record<string, [words: string[], member: object]>> = {
  name: [['--name', 'Winter'], { name: 'Winter' }],
  hierarchy: [['--hierarchy', '5'], { hierarchy: 5 }],
  url: [['--url', 'https://b.example/'], { target_url: 'https://b.example/' }],
  event: [['--event', 'voucher.created'], { events: ['voucher.created'] }],
  active: [['--active'], { active: true }],
}

const common = { ...serviceFlags, ...projectFlag, ...outputFlags, ...bodyFlags, ...writeFlags, 'allow-unknown': true }
const updates: [string, string, string][] = []
for (const id of Object.keys(lines)) {
  const { calls, flags } = await classOf(id)
  const [first] = calls === 'any' ? [] : calls
  const kind = first?.id.replace(/(?:ie)?s\.update$/, (end) => (end.startsWith('ie') ? 'y' : '')) ?? ''
  for (const flag of first?.replaces ? Object.keys(flags) : [])
    if (!(flag in common)) updates.push([id.replaceAll(':', ' '), kind, flag])
}

test('there are such commands', () => {
  expect(updates.map(([command, , flag]) => `${command} --${flag}`)).toContain('categories update --hierarchy')
})

test.each(updates)('`%s` of a %s keeps what --%s does not name', async (command, kind, flag) => {
  const now = { id: 'one', object: kind, created_at: '2026-01-01T00:00:00.000Z', ...stored[kind] }
  const list = { object: 'list', data_ref: 'data', data: [now], total: 1 }
  await using server = await scriptedServer(({ url }) => answer(200, url.endsWith('/one') ? now : list))
  const [words, member] = given[flag] as [string[], object]

  const { exitCode, stderr } = await promoIn(temporaryFolder())([...command.split(' '), 'one', ...words, '--yes'], {
    env: keysFor(server.origin),
  })

  const put = server.asked.at(-1)
  expect([exitCode, put?.method, JSON.parse(put?.body || '{}')], stderr).toEqual([
    0,
    'PUT',
    { ...stored[kind], ...member },
  ])
  expect(server.asked.filter(({ method, url }) => method === 'GET' && url.endsWith('/one'))).toHaveLength(1)
})

test('nothing is read first where all of it is named', async () => {
  const promo = promoIn(temporaryFolder())
  const line = ['categories', 'update', 'cat_1', '--name', 'A', '--hierarchy', '2', '--dry-run', '--json']

  const { stdout } = await promo([...line, '--query', '[].[method, body]', '--profile', 'sandbox'])

  expect(JSON.parse(stdout)).toEqual([['PUT', { name: 'A', hierarchy: 2 }]])
})

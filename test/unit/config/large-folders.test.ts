// Reading a project as files takes time in proportion to the files, is bounded, and can be stopped.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { compareWith } from '../../../src/config/compare.ts'
import { readFolder } from '../../../src/config/folder.ts'
import { temporaryFolder } from '../../support/promo.ts'

afterEach(() => vi.restoreAllMocks())

function folderOf(files: Record<string, string>): string {
  const root = temporaryFolder()
  for (const [file, text] of Object.entries({ 'promo.yaml': 'format: 1\nkinds: [campaigns, rules]\n', ...files })) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const campaign = (more: string) => ({ 'campaigns/x.yaml': `name: X\ncampaign_type: LOYALTY_PROGRAM\n${more}` })

/** How many items the searches in lists look at, at most, while a folder is read. */
async function looksIn(root: string): Promise<number> {
  let looks = 0
  for (const name of ['find', 'findIndex', 'some', 'indexOf', 'includes'] as const) {
    const search = Array.prototype[name] as (this: unknown[], ...given: unknown[]) => unknown
    vi.spyOn(Array.prototype, name).mockImplementation(function (this: unknown[], ...given: unknown[]) {
      looks += this.length
      return search.apply(this, given) as never
    })
  }
  const folder = await readFolder(root, { profile: 'live', env: {} })
  compareWith(folder, { objects: new Map(), addressOf: new Map() })
  vi.restoreAllMocks()
  return looks
}

test.each([
  ['names', (at: number) => `  n${at}: v\n`, 'metadata:\n'],
  ['missing placeholders', (at: number) => `  n${at}: \${V${at}}\n`, 'metadata:\n'],
  ['the same name', () => '  n: v\n', 'metadata:\n'],
  ['unknown members', (at: number) => `m${at}: v\n`, ''],
  ['broken references', (at: number) => `  - rule-${at}\n`, 'validation_rules:\n'],
  ['parts', (at: number) => `  - {key: k${at}, name: N${at}, points: {from: ${at}, to: ${at}}}\n`, 'tiers:\n'],
])('twice as many %s take no more than twice as many looks', async (_, line, before) => {
  const looks = async (count: number) => await looksIn(folderOf(campaign(before + numbers(count).map(line).join(''))))

  const [some, more] = [await looks(400), await looks(800)]

  expect(more).toBeLessThan(2.5 * some)
})

test('a file of more lines and items than are read at once is named, and not parsed', async () => {
  for (const text of ['\n'.repeat(100_001), `list: [${'1,'.repeat(100_001)}]`]) {
    const { problems, objects } = await readFolder(folderOf(campaign(text)), { profile: 'live', env: {} })

    expect(problems).toEqual([{ file: 'campaigns/x.yaml', line: 1, message: 'has more than 100,000 lines and items' }])
    expect(objects.size).toBe(0)
  }
})

test('a signal ends the reading before the next file', async () => {
  const stop = new AbortController()
  const root = folderOf({ 'rules/a.yaml': 'name: A\nrules: {}\n', 'rules/b.yaml': 'name: B\nrules: {}\n' })

  const reading = readFolder(root, { profile: 'live', env: {}, stop: stop.signal })
  setImmediate(() => stop.abort('SIGINT'))

  await expect(reading).rejects.toBe('SIGINT')
})

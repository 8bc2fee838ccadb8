// Keys of a project as files: schemas for editors, recording and renaming keys, and new objects in place of old ones.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { fileKinds } from '../../src/model/kinds.ts'
import {
  fillProject,
  folderOf,
  projectFolder,
  type TestProject,
  type TestProjects,
  testProjects,
} from '../support/projects.ts'
import { promo } from '../support/promo.ts'

let service: TestProjects
let full: TestProject

beforeAll(async () => {
  service = await testProjects()
  full = await service.another()
  await fillProject(full)
})

afterAll(() => service.close())

async function pulled(project: TestProject, ...more: string[]): Promise<string> {
  const root = projectFolder()
  const { exitCode, stderr } = await project.promo(['config', 'pull', root, ...more])
  expect([exitCode, stderr]).toEqual([0, expect.any(String)])
  return root
}

function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, 'utf8')
  expect(change(before)).not.toBe(before)
  writeFileSync(path, change(before))
}

const idsOf = (root: string, { id }: TestProject): Record<string, string> =>
  JSON.parse(readFileSync(join(root, '.promo/ids', `${id}.json`), 'utf8'))

/** Reads a file as an editor does, which knows nothing of references but their tag. */
const plain = (text: string): unknown =>
  parseDocument(text, { customTags: [{ tag: '!ref', resolve: (address: string) => address }] }).toJS()

describe('the schema of a kind', () => {
  test.each(fileKinds)('%s takes every file that a pull writes, and no member that promo refuses', async (kind) => {
    const schema = JSON.parse((await promo(['config', 'schema', kind])).stdout)
    const validate = new Ajv2020({ strict: false }).compile(schema)
    const folders = [await pulled(service.first), await pulled(full)]

    const files = folders.flatMap((root) => {
      const path = join(root, kind)
      const single = `${path}.yaml`
      if (existsSync(single)) return [readFileSync(single, 'utf8')]
      return existsSync(path) ? readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8')) : []
    })

    expect(files.length).toBeGreaterThan(0)
    for (const text of files) {
      const line = `# yaml-language-server: $schema=${text.includes('$schema=../') ? '../' : ''}.promo/schemas/${kind}.json`
      expect(text.split('\n')[0]).toBe(line)
      expect([validate(plain(text)), validate.errors, text]).toEqual([true, null, text])
      expect(validate({ ...(plain(text) as object), colour: 'red' })).toBe(false)
    }
    for (const root of folders) {
      const path = join(root, '.promo/schemas', `${kind}.json`)
      if (existsSync(path)) expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(schema)
    }
  })

  test('takes placeholders and ids of what is not in the folder, and refuses what the service refuses', async () => {
    const of = async (kind: string) =>
      new Ajv2020({ strict: false }).compile(JSON.parse((await promo(['config', 'schema', kind])).stdout))
    const [category, campaign] = [await of('categories'), await of('campaigns')]

    expect(category({ name: 'A', hierarchy: `\${place}` })).toBe(true)
    expect(category({ name: 'A', hierarchy: 'first' })).toBe(false)
    expect(category({ name: 'A' })).toBe(false)
    expect(category({ partial: true, name: 'A' })).toBe(true)
    expect(campaign({ name: 'C', category_id: { id: 'cat_1' }, validation_rules: ['a', { id: 'val_1' }] })).toBe(true)
    expect(campaign({ name: 'C', campaign_type: 'COUPONS' })).toBe(false)
    expect(campaign({ name: 'C', tiers: [{ name: 'T' }] })).toBe(false)
  })
})

describe('link and unlink', () => {
  test('decide which of two objects of one name a key is', async () => {
    const project = await service.another()
    const ids: string[] = []
    for (const message of ['one', 'two']) {
      const { id } = await project.call('POST', '/v1/validation-rules', { name: 'Twin', rules: {}, error: { message } })
      ids.push(id)
    }
    const root = folderOf({
      'promo.yaml': 'format: 1\nkinds: [rules]\n',
      'rules/twin.yaml': 'name: Twin\nrules: {}\nerror: {message: two}\n',
    })
    const at = ['--dir', root]

    const unclear = await project.promo(`config plan ${root}`)
    const unread = await project.promo(`config pull ${root} --yes`)
    const missing = await project.promo(['config', 'link', 'rules', 'twin', 'val_0', ...at])
    const linked = await project.promo(['config', 'link', 'rules', 'twin', ids[1] as string, ...at])
    const diff = await project.promo(`config diff ${root} --json`)
    const taken = await project.promo(['config', 'link', 'rules', 'other', ids[1] as string, ...at])
    const unlinked = await project.promo(['config', 'unlink', 'rules', 'twin', ...at])
    const again = await project.promo(['config', 'unlink', 'rules', 'twin', ...at])

    expect(unclear).toEnd(2, ids.toSorted().join(', '))
    expect(unread).toEnd(2, ids.toSorted().join(', '))
    expect(unread.stderr).toContain('names do not say which object a file is; nothing was written:')
    expect(missing).toEnd(3, 'no validation rule "val_0"')
    expect([linked.exitCode, linked.stderr]).toEqual([0, `rules/twin is ${ids[1]}\n`])
    expect(JSON.parse(diff.stdout)).toEqual([
      { object: 'rules/twin-2', change: 'extra', member: null, before: null, after: null },
    ])
    expect(taken).toEnd(2, 'is rules/twin already')
    expect([unlinked.exitCode, idsOf(root, project)]).toEqual([0, {}])
    expect(again).toEnd(2, 'no id of rules/twin is recorded')
  })

  test('record and forget a part of an object, and say how one is named', async () => {
    const root = await pulled(full)
    const at = ['--dir', root]
    const address = 'campaigns/terrace/tiers/twin'
    const id = idsOf(root, full)[address] as string

    const unlinked = await full.promo(['config', 'unlink', 'campaigns/tiers', 'terrace/twin', ...at])
    const forgotten = idsOf(root, full)[address]
    const linked = await full.promo(['config', 'link', 'campaigns/tiers', 'terrace/twin', id, ...at])
    const misnamed = await full.promo(['config', 'link', 'campaigns/tiers', 'twin', id, ...at])
    const elsewhere = await full.promo(['config', 'unlink', 'rules', 'twin', '--dir', projectFolder()])

    expect([unlinked.exitCode, forgotten, linked.exitCode]).toEqual([0, undefined, 0])
    expect(idsOf(root, full)[address]).toBe(id)
    expect(misnamed).toEnd(2, 'PARENT/KEY')
    expect(elsewhere).toEnd(2, 'is not a project as files')
  })
})

describe('mv', () => {
  test.each([
    ['rules', 'same-name-2', 'from-20'],
    ['categories', 'seasonal', 'of-the-season'],
    ['segments', 'readers', 'subscribers'],
    ['rewards', 'mug', 'cup'],
    ['campaigns', 'club', 'regulars'],
    ['campaigns', 'terrace', 'outside'],
    ['campaigns/tiers', 'terrace/twin', 'terrace/last'],
    ['campaigns/stacks', 'terrace/both', 'terrace/all'],
    ['campaigns/earning_rules', 'club/page-read', 'club/reading'],
    ['event-schemas', 'page-read', 'reading'],
    ['products', 'beans', 'coffee-beans'],
  ])('%s: %s becomes %s everywhere, and the project is what the files say before and after', async (kind, from, to) => {
    const root = await pulled(full)
    const path = join(root, 'campaigns/club.yaml')
    edit(path, (text) => text.replace('earning_rules:', '# kept\nearning_rules:'))
    const ids = Object.values(idsOf(root, full)).toSorted()

    const moved = await promo(['config', 'mv', kind, from, to, '--dir', root])
    const diff = await full.promo(`config diff ${root}`)
    const again = await full.promo(`config pull ${root} --json`)
    const back = await promo(['config', 'mv', kind, to, from, '--dir', root])

    expect(moved).toEnd(0, `is ${kind.split('/')[0]}/`)
    expect([diff.exitCode, diff.stdout]).toEqual([0, ''])
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([0, []])
    expect(Object.values(idsOf(root, full)).toSorted()).toEqual(ids)
    expect(back.exitCode).toBe(0)
    const before = await pulled(full)
    for (const file of readdirSync(before, { recursive: true, withFileTypes: true })) {
      if (!file.isFile() || file.parentPath.includes('.promo/')) continue
      const name = join(file.parentPath, file.name).slice(before.length)
      expect([name, readFileSync(join(root, name), 'utf8').replace('# kept\n', '')]).toEqual([
        name,
        readFileSync(join(before, name), 'utf8'),
      ])
    }
  })

  test.each([
    ['rules', 'same-name', 'From-20', 'from-20'],
    ['rules', 'same-name', 'con', 'con-1'],
    ['campaigns/tiers', 'terrace/twin', 'terrace/Twin', 'terrace/twin'],
  ])('%s: %s does not become %s, which is no file of its own on every computer', async (kind, from, to, better) => {
    const root = await pulled(full)

    const { exitCode, stderr } = await promo(['config', 'mv', kind, from, to, '--dir', root])

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('a new key is in lower case')])
    expect(stderr).toContain(`try: promo config mv ${kind} ${from} ${better} --dir ${root}\n`)
  })

  test('refuses a key that is taken, one that is not there, and one that is another object’s', async () => {
    const root = await pulled(full)
    const mv = (...words: string[]) => promo(['config', 'mv', ...words, '--dir', root])

    const taken = await mv('rules', 'same-name', 'same-name-2')
    const missing = await mv('rules', 'nothing', 'something')
    const offer = await mv('campaigns/offers', 'club/mug', 'club/cup')
    const elsewhere = await mv('campaigns/tiers', 'terrace/twin', 'club/twin')
    const outside = await mv('rules', 'same-name', '../same')

    expect(taken).toEnd(2, '"rules/same-name-2" is there already')
    expect(missing).toEnd(2, '"rules/nothing" is not in the files')
    expect(offer).toEnd(2, 'that of its reward')
    expect(offer.stderr).toContain(`try: promo config mv rewards mug cup --dir ${root}\n`)
    expect(elsewhere).toEnd(2, 'a part of something else')
    expect(outside).toEnd(2, 'is no key')
  })
})

describe('--replace', () => {
  test('makes a new segment, leads what referred to the old one to it, deletes the old one, and does so once', async () => {
    const project = await service.another()
    await fillProject(project)
    const root = await pulled(project)
    const old = idsOf(root, project)['segments/readers']
    edit(join(root, 'segments/readers.yaml'), (text) => text.replace('$is: [true]', '$is: [false]'))

    const refused = await project.promo(`config plan ${root}`)
    const asked = await project.promo(`config apply ${root} --replace segments/readers`, { stdin: '' })
    const applied = await project.promo(`config apply ${root} --replace segments/readers --yes --json`)
    const again = await project.promo(`config apply ${root} --replace segments/readers --yes --json`)
    const diff = await project.promo(`config diff ${root}`)

    expect(refused).toEnd(2, '--replace segments/readers')
    expect(asked).toEnd(11, 'segments/readers-replaced')
    const steps = JSON.parse(applied.stdout).map(({ act, object }: { act: string; object: string }) => [act, object])
    expect([applied.exitCode, steps]).toEqual([
      0,
      [
        ['create', 'segments/readers'],
        ['update', 'rules/same-name-2'],
        ['delete', 'segments/readers-replaced'],
      ],
    ])
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([0, []])
    expect([diff.exitCode, diff.stdout]).toEqual([0, ''])
    const { data } = await project.call('GET', '/v1/segments')
    expect(data.map(({ id }: { id: string }) => id)).toEqual([idsOf(root, project)['segments/readers']])
    expect(data[0].id).not.toBe(old)
  })

  test('makes a new campaign beside the old one, which stays with its codes', async () => {
    const project = await service.another()
    await fillProject(project)
    const root = await pulled(project)
    const path = join(root, 'campaigns/switched-off.yaml')
    edit(path, (text) => text.replace('length: 7', 'length: 9'))

    const sameName = await project.promo(`config plan ${root} --replace campaigns/switched-off`)
    edit(path, (text) => text.replace('name: Switched off', 'name: Switched off 2'))
    const applied = await project.promo(`config apply ${root} --replace campaigns/switched-off --yes`)
    const again = await project.promo(`config diff ${root} --json`)

    expect(sameName).toEnd(2, 'needs another name')
    expect(applied).toEnd(0, 'stays, with its codes')
    expect(JSON.parse(again.stdout)).toEqual([
      expect.objectContaining({ object: 'campaigns/switched-off-2', change: 'extra' }),
    ])
    const { campaigns } = await project.call('GET', '/v1/campaigns')
    expect(campaigns.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['Switched off', 'Switched off 2']),
    )
  })

  test('refuses what is not there', async () => {
    const root = await pulled(full)

    const { exitCode, stderr } = await full.promo(`config plan ${root} --replace segments/nobody`)

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the files have no such object')])
  })
})

test('objects that their names led to are counted on one line', async () => {
  const root = await pulled(service.first)
  const bare = projectFolder()
  cpSync(root, bare, { recursive: true })
  rmSync(join(bare, '.promo'), { recursive: true })

  const { exitCode, stderr } = await service.first.promo(`config plan ${bare}`)

  expect(exitCode).toBe(0)
  expect(stderr.match(/adopted/g)).toHaveLength(1)
  expect(stderr).toMatch(/^\d+ objects adopted by name: event-schemas\/[a-z-]+, .* and \d+ more$/m)
})

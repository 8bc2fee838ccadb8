// Every file and folder that promo keeps, found on the disk: where another user may have written it, or it has another name, it is
// refused before it is used, and the next step repairs it.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { journalSuffixes } from '../../src/bulk/journal/journal-file.ts'
import { dataFiles } from '../../src/sandbox/storage/file.ts'
import { keysFor, notFound } from '../support/command-lines.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { scriptedServer } from '../support/scripted-server.ts'
import { sampled } from '../support/size.ts'
import { sourceFiles } from '../support/source-files.ts'

/** Commands that between them use everything that is kept. */
const uses = [
  'history',
  'jobs show latest',
  'jobs report latest',
  'vouchers disable A B --yes --retries 0',
  'vouchers disable A B --yes --retries 0 --journal own',
  'sandbox status',
  'profiles verify live',
  'whoami --profile live',
  'config apply shop --yes --quiet --profile sandbox',
  'ledger pull --profile sandbox',
]

/** The same, once everything is there: each job by its id, and the plan of the folder, which is kept for its job. */
function usesOf(names: readonly string[]): string[] {
  const jobs = names.flatMap((name) => /^state\/jobs\/(\d{8}-\w{6})\.\w+\.sqlite$/.exec(name)?.slice(1) ?? [])
  return [
    ...uses,
    ...jobs.map((id) => `jobs show ${id}`),
    'config apply kept --yes --quiet --profile sandbox',
    'sandbox snapshot load first',
  ]
}

/** The modules that find a place in the state folder, by a line of `uses`; the doctor only looks. */
const places: Record<string, string> = {
  'src/cli/bulk/known-jobs.ts': 'jobs show latest',
  'src/cli/session/history.ts': 'history',
  'src/cli/session/connect.ts': 'sandbox status',
  'src/cli/topics/config/state.ts': 'config apply shop',
  'src/cli/topics/doctor/checks.ts': '',
  'src/cli/topics/ledger/copy-file.ts': 'ledger pull',
}

/** How a file or a folder is no longer this user's alone. */
const changes: Record<string, { onFolders: boolean; needsRoot?: boolean; make: (path: string) => void }> = {
  'others can change': { onFolders: true, make: (path) => chmodSync(path, statSync(path).mode | 0o022) },
  'belongs to another user': { onFolders: true, needsRoot: true, make: (path) => chownSync(path, 4711, -1) },
  'is a symbolic link': {
    onFolders: false,
    make: (path) => {
      const elsewhere = join(mkFolder(), 'elsewhere')
      renameSync(path, elsewhere)
      symlinkSync(elsewhere, path)
    },
  },
  'is not a file': {
    onFolders: false,
    make: (path) => {
      rmSync(path)
      execFileSync('mkfifo', ['-m', '600', path])
    },
  },
  'has a second name': { onFolders: false, make: (path) => linkSync(path, join(mkFolder(), 'second')) },
}

/** Settings have no secrets, and may be links into a folder of dot files, which are read and never written. */
const exceptions: Record<string, readonly string[]> = {
  'config/config.json': Object.keys(changes),
  'config/credentials.json': ['is a symbolic link', 'has a second name', 'is not a file'],
}

const mkFolder = () => temporaryFolder()
let server: Awaited<ReturnType<typeof scriptedServer>>
const original = join(temporaryFolder(), 'own')
const backup = join(temporaryFolder(), 'backup')
/** A project as files, which is no secret of this user. */
const shop = join(temporaryFolder(), 'shop')
let kept: string[] = []
/** The use that refused a file, and that of the last one in a folder: the first to try with the next change, and the next file. */
const refusing = new Map<string, string>()

const env = () => ({ ...keysFor(server.origin) })

async function ran(folder: string, line: string) {
  const withKeys = line.startsWith('profiles') || line.includes('--profile') ? {} : env()
  const named = line
    .replace(' own', ` ${join(folder, 'own')}`)
    .replace(' shop', ` ${shop}`)
    .replace(' kept', ` ${join(folder, kept.find((name) => /config\/[0-9a-f]{32}\.json$/.test(name)) ?? '')}`)
  return await promoIn(folder)(named.split(' '), { env: withKeys, stdin: '' })
}

beforeAll(async () => {
  server = await scriptedServer(() => notFound)
  await promoIn(original)(
    ['profiles', 'add', 'live', '--app-id', 'a', '--base-url', server.origin, '--insecure-storage'],
    { stdin: 'token' },
  )
  await promoIn(original)(['sandbox', 'seed'])
  await promoIn(original)(['config', 'pull', shop, '--profile', 'sandbox'])
  const club = join(shop, 'campaigns/bean-club.yaml')
  writeFileSync(club, readFileSync(club, 'utf8').replace('points: 300', 'points: 250'))
  for (const line of [...uses, 'sandbox snapshot save first']) await ran(original, line)
  // What only exists while it is used.
  const journals = globSync('**/*.sqlite', { cwd: original }).flatMap((name) =>
    journalSuffixes.map((ending) => `${name}${ending}`),
  )
  const databases = [...globSync('**/*.{lock,snapshot.db}', { cwd: original }), 'state/sandbox.db']
  for (const name of [...journals, ...databases.flatMap(dataFiles)])
    writeFileSync(join(original, name), '', { flag: 'a', mode: 0o600 })
  // An index that is not this user's alone is not read: jobs are then read from their files (job-index.ts).
  kept = globSync('**/*', { cwd: original, exclude: ['state/jobs/index.sqlite*'] }).toSorted()
  cpSync(original, backup, { recursive: true, preserveTimestamps: true })
  for (const copied of ['', ...kept]) chmodSync(join(backup, copied), statSync(join(original, copied)).mode & 0o777)
})
afterAll(async () => await server[Symbol.asyncDispose]())

test('there is one of every kind', () => {
  const kinds = kept.map((name) =>
    name
      .replace(/\d{8}-\w{6}/, 'ID')
      .replace(/[0-9a-f]{32}/, 'PLAN')
      .replace(/proj_\w+/, 'PROJECT')
      .replace(/[0-9a-f]{12}/, 'LINE')
      .replace(/\d{4}-\d\d-\d\d/, 'DAY'),
  )
  expect([...new Set(kinds)]).toEqual(
    expect.arrayContaining([
      'config',
      'config/config.json',
      'config/credentials.json',
      'own',
      'own/job.lock',
      'own/job.sqlite',
      'own/job.sqlite-commits',
      'state',
      'state/config',
      'state/config/PLAN.json',
      'state/config/PROJECT.lock',
      'state/history',
      'state/history/DAY.jsonl',
      'state/jobs',
      'state/jobs/ID.LINE.sqlite',
      'state/jobs/LINE.lock',
      'state/sandbox.db',
      'state/sandbox.db-wal',
    ]),
  )
})

describe.each(Object.entries(changes))('what %s', (change, { onFolders, needsRoot = false, make }) => {
  test.skipIf(needsRoot && process.getuid?.() !== 0)('is refused, and accepted again after the next step', async () => {
    const accepted: string[] = []
    for (const name of sampled(kept, 3, Object.keys(changes).indexOf(change))) {
      if (exceptions[name]?.includes(change)) continue
      // In its own place: a job is known by the path of its plan.
      const folder = original
      rmSync(folder, { recursive: true, force: true })
      cpSync(backup, folder, { recursive: true, preserveTimestamps: true })
      for (const copied of ['', ...kept]) chmodSync(join(folder, copied), statSync(join(backup, copied)).mode & 0o777)
      const path = join(folder, name)
      if (statSync(path).isDirectory() && !onFolders) continue
      make(path)

      const refusals: string[] = []
      const likely = [name, dirname(name)].flatMap((known) => refusing.get(known) ?? [])
      for (const line of new Set([...likely, 'history', ...usesOf(kept)])) {
        const { exitCode, stderr } = await ran(folder, line)
        if (exitCode !== 4 || !stderr.includes(path)) continue
        for (const known of [name, dirname(name)]) refusing.set(known, line)
        refusals.push(`${line}: ${stderr}`)
        break
      }
      const [refusal = ''] = refusals
      if (refusal === '') {
        accepted.push(name)
        continue
      }
      expect(refusal).toContain(`"${path}"`)
      const command = /^try: (.*)$/m.exec(refusal)?.[1] ?? ''
      execFileSync('sh', ['-c', command], { cwd: dirname(folder) })
      const after = await ran(folder, refusal.split(': ')[0] ?? '')
      expect(after.stderr, command).not.toMatch(/belongs to another|have access to|symbolic link|second name/)
    }
    expect(accepted).toEqual([])
  })
})

describe("what is not promo's own", () => {
  const link = (target: string) => (path: string) => symlinkSync(target, path)
  const exposed = (path: string) => {
    writeFileSync(path, 'decoy', { mode: 0o644 })
  }
  const folder = (path: string) => {
    mkdirSync(join(path, 'jobs'), { recursive: true })
    writeFileSync(join(path, 'decoy'), 'decoy')
    chmodSync(path, 0o777)
  }
  const second = (path: string) => {
    writeFileSync(`${path}.first`, 'decoy', { mode: 0o600 })
    linkSync(`${path}.first`, path)
  }
  const keptOnly = (path: string) => {
    mkdirSync(path)
    writeFileSync(join(path, 'sandbox.db'), '', { mode: 0o600 })
    symlinkSync(join(path, '..', 'decoy'), join(path, 'sandbox.db.aside'))
    linkSync(join(path, 'sandbox.db'), join(path, '..', 'link'))
    symlinkSync(join(path, '..', 'decoy'), join(path, 'sandbox.db.copy'))
  }

  // The decoy, how it is made, and what meets it: DECOY is its path.
  test.each<[string, (path: string) => void, string, Record<string, string>?]>([
    ['a link as a data file', link('../decoy'), 'sandbox status --data PATH'],
    ['a link as a data file to start', link('../decoy'), 'sandbox reset --data PATH --yes'],
    ['an exposed data file', exposed, 'sandbox reset --data PATH --yes'],
    ['a second name of a data file', second, 'sandbox reset --data PATH --yes'],
    ['an exposed file as a job', exposed, 'jobs show PATH'],
    ['an exposed file as a job to resume', exposed, 'jobs resume PATH --yes'],
    ['an exposed file as a job to undo', exposed, 'jobs undo PATH --yes'],
    ['an exposed file as a job to discard', exposed, 'jobs discard PATH --yes'],
    ['a link as a job', link('../decoy'), 'jobs show PATH'],
    ['a second name as a job', second, 'jobs show PATH'],
    ['a system file as a job', () => {}, 'jobs show /etc/passwd'],
    ['an exposed folder of jobs', folder, 'vouchers disable A B --yes --retries 0 --journal PATH'],
    ['an exposed state folder', folder, 'history', { PROMO_STATE_DIR: 'PATH' }],
    ['a shared state folder', () => {}, 'history', { PROMO_STATE_DIR: '/tmp' }],
    ['an exposed folder of settings', folder, 'profiles list', { PROMO_CONFIG_DIR: 'PATH' }],
    [
      'settings of something else',
      (path) => {
        mkdirSync(path)
        writeFileSync(join(path, 'config.json'), '{decoy')
        writeFileSync(join(path, 'decoy'), 'decoy')
      },
      'profiles list',
      { PROMO_CONFIG_DIR: 'PATH' },
    ],
    ['a file of keys', exposed, 'sandbox start --keys PATH --port 0'],
    ['a state folder with a name that is taken', keptOnly, 'sandbox reset --yes', { PROMO_STATE_DIR: 'PATH' }],
    ['a link as a plan', link('../decoy'), 'config apply PATH --yes --profile sandbox'],
  ])('is left alone by the next step: %s', async (_, make, line, variables = {}) => {
    const place = temporaryFolder()
    const decoys = join(place, 'decoys')
    mkdirSync(decoys)
    writeFileSync(join(place, 'decoy'), 'decoy', { mode: 0o644 })
    make(join(decoys, 'it'))
    const named = (text: string) => text.replace('PATH', join(decoys, 'it'))
    const replaced = Object.entries(variables).map(([name, value]) => [name, named(value)])
    const { stderr } = await promoIn(join(temporaryFolder(), 'own'))(line.split(' ').map(named), {
      env: { ...env(), ...Object.fromEntries(replaced) },
      stdin: '',
    })
    const [, hint = ''] = /^try: (.*)$/m.exec(stderr) ?? []
    expect(hint).not.toMatch(/\/etc|\/tmp(?: |$)/)
    const before = stateOf(place)
    if (!hint.includes('promo ')) spawnSync('sh', ['-c', hint || ':'], { cwd: place, stdio: 'ignore' })

    expect(stateOf(place), `${line}: ${hint}`).toEqual(before)
  })
})

/** Names, modes and contents of all files below a folder. */
function stateOf(folder: string): string[] {
  return globSync('**/*', { cwd: folder })
    .toSorted()
    .map((name) => {
      const path = join(folder, name)
      const facts = lstatSync(path)
      return `${name} ${facts.mode.toString(8)} ${facts.isFile() ? readFileSync(path, 'utf8') : ''}`
    })
}

test('whoever finds a place in the state folder has a use here', () => {
  const finders = sourceFiles('src').filter(({ text }) => /(?<!function )\bstateFolder\(/.test(text))
  // Whether there is one decides the words of a greeting.
  const others = sourceFiles('src').filter(({ text }) =>
    /\bfolders\([^)]*\)\.state\b|\bstate \} = folders\(/.test(text),
  )

  expect(finders.map(({ path }) => path).toSorted()).toEqual(Object.keys(places).toSorted())
  expect(others.map(({ path }) => path)).toEqual(['src/cli/help/greeting.ts', 'src/profiles/folders.ts'])
  expect(Object.values(places).filter((line) => !uses.some((use) => use.startsWith(line)))).toEqual([])
})

test('a command that changes a file is proposed in one place, for what promo keeps', () => {
  const proposing = sourceFiles('src').filter(({ text }) =>
    /\b(?:moveCommand|recopyCommand)\(|['"`](?:chmod|chown|rm|mv|cp|ln|del|truncate|dd) /.test(text),
  )

  expect(proposing.map(({ path }) => path).toSorted()).toEqual(['src/base/files/privacy.ts', 'src/base/shell-word.ts'])
})

test('a folder that was never there is created for its owner alone', async () => {
  const folder = join(temporaryFolder(), 'new')
  mkdirSync(folder, { mode: 0o755 })

  await promoIn(folder)(['vouchers', 'disable', 'A', 'B', '--yes', '--retries', '0'], { env: env() })

  const modes = globSync('**/*', { cwd: folder }).map((name) => [name, statSync(join(folder, name)).mode & 0o077])
  expect(modes.filter(([, mode]) => mode !== 0)).toEqual([])
})

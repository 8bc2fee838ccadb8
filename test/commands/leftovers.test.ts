// A writer that is killed leaves its temporary file, and the next one in the folder removes it.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryBeside } from '../../src/base/files/temporary.ts'
import { recorderInto } from '../../src/cli/topics/webhooks/record.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { whileServing } from '../support/serving.ts'
import { sourceFiles } from '../support/source-files.ts'

/** The writers, by the module that writes: what each is asked to do in a folder. */
const writers: Record<string, (folder: string) => Promise<void>> = {
  'src/output/out-file.ts': (folder) => ran(folder, ['vouchers', 'list', '--csv', '--out', join(folder, 'list.csv')]),
  'src/profiles/change-document.ts': async (folder) => {
    const line = 'profiles add live --app-id a --insecure-storage'.split(' ')
    const { exitCode, stderr } = await promoIn(folder)(line, { stdin: 'token' })
    expect(exitCode, stderr).toBe(0)
  },
  'src/cli/topics/webhooks/record.ts': async (folder) => {
    const record = recorderInto(folder)
    await record({ body: Buffer.from('{}'), headers: {}, type: undefined, receivedAt: '2026-01-02T00:00:00.000Z' })
  },
  'src/config/records.ts': (folder) => ran(folder, ['config', 'pull', folder]),
  'src/sandbox/data-file.ts': (folder) =>
    ran(folder, ['sandbox', 'copy', '--data', join(folder, 'copy.db')], ['--from', 'sandbox']),
  'src/sandbox/storage/snapshot.ts': async (folder) => {
    const data = join(folder, 'shop.db')
    await whileServing(promoIn(temporaryFolder()), ['--data', data], async () => {
      await ran(folder, ['sandbox', 'snapshot', 'save', 'one', '--data', data], [])
    })
  },
}

/** Where a writer puts its temporary file. */
const written: Record<string, string> = {
  'src/profiles/change-document.ts': 'config',
  'src/sandbox/storage/snapshot.ts': 'shop.db.snapshots',
}

test.each(Object.entries(writers))('%s removes what killed writers left, and nothing else', async (module, write) => {
  const root = temporaryFolder()
  const folder = join(root, written[module] ?? '.')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const longAgo = new Date('2026-01-02T00:00:00Z')
  const leave = (path: string, at?: Date) => {
    writeFileSync(path, 'half a line', { mode: 0o600 })
    if (at) utimesSync(path, at, at)
    return path
  }
  const leftover = temporaryBeside(join(folder, 'x'))
  const gone = [
    ...['', '-wal', '-shm', '-journal'].map((ending) => leave(`${leftover}${ending}`, longAgo)),
    // As conf writes the settings.
    leave(join(folder, 'config.json.tmp-17672304000a1b2c'), longAgo),
    leave(join(folder, 'credentials.json.tmp-1767230400ffffff'), longAgo),
  ]
  const link = temporaryBeside(join(folder, 'x'))
  symlinkSync(leave(join(root, 'elsewhere'), longAgo), link)
  const kept = [
    // Perhaps of a writer that is at work.
    leave(temporaryBeside(join(folder, 'x'))),
    leave(join(folder, '.promo-mine.tmp'), longAgo),
    leave(`${leftover}.bak`, longAgo),
    link,
  ]

  await write(root)

  expect(gone.filter(existsSync)).toEqual([])
  expect(kept.filter((path) => !existsSync(path))).toEqual([])
  // It also leaves none of its own.
  expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toHaveLength(kept.length)
  expect(readFileSync(link, 'utf8')).toBe('half a line')
})

test('every temporary file has a name that the next writer knows', () => {
  const own = sourceFiles('src').filter(({ text }) => /\.tmp\b/.test(text))
  const users = sourceFiles('src').filter(({ text }) =>
    /\b(?:temporaryBeside|replaceFile|createFile|new Conf)\(/.test(text),
  )

  // privacy.ts only knows the names of promo's own files.
  expect(own.map(({ path }) => path)).toEqual(['src/base/files/privacy.ts', 'src/base/files/temporary.ts'])
  expect(users.map(({ path }) => path).toSorted()).toEqual(
    ['src/base/files/temporary.ts', ...Object.keys(writers)].toSorted(),
  )
})

async function ran(folder: string, argv: string[], profile = ['--profile', 'sandbox']): Promise<void> {
  const { exitCode, stderr } = await promoIn(folder)([...argv, ...profile])
  expect(exitCode, stderr).toBe(0)
}

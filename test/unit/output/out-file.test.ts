import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mustBeReplaceable, outFile } from '../../../src/output/out-file.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promo-out-'))
})

afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
})

describe('--out', () => {
  test('the file appears complete, readable only by its owner, with nothing next to it', async () => {
    const path = join(folder, 'codes.csv')

    const file = await outFile(path)
    await file.write('code\n')
    const before = await readdir(folder)
    await file.write('żółw\n')
    await file.finish()

    expect(before).not.toContain('codes.csv')
    expect(await readdir(folder)).toEqual(['codes.csv'])
    expect(await readFile(path, 'utf8')).toBe('code\nżółw\n')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('a regular file with that name is replaced at the end, and becomes private', async () => {
    const path = join(folder, 'codes.csv')
    await writeFile(path, 'old', { mode: 0o644 })

    const file = await outFile(path)
    await file.write('new')
    const before = await readFile(path, 'utf8')
    await file.finish()

    expect(before).toBe('old')
    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('an abandoned file leaves nothing behind and the old one untouched', async () => {
    const path = join(folder, 'codes.csv')
    await writeFile(path, 'old')

    const file = await outFile(path)
    await file.write('half')
    await file.abandon()

    expect(await readdir(folder)).toEqual(['codes.csv'])
    expect(await readFile(path, 'utf8')).toBe('old')
  })

  test('an aborted signal stops the next write', async () => {
    const stop = new AbortController()
    const file = await outFile(join(folder, 'codes.csv'), stop.signal)

    stop.abort('SIGINT')

    await expect(file.write('x')).rejects.toBe('SIGINT')
    await file.abandon()
  })

  test('a folder is refused before anything is written', async () => {
    const path = join(folder, 'sub')
    await mkdir(path)

    const opening = outFile(path)

    await expect(opening).rejects.toMatchObject({
      kind: 'usage',
      exitCode: 2,
      message: `cannot write "${path}": it is a folder`,
    })
    expect(await readdir(folder)).toEqual(['sub'])
  })

  test('a symbolic link is refused, even one that points nowhere', async () => {
    const path = join(folder, 'link')
    await symlink(join(folder, 'nowhere'), path)

    const opening = outFile(path)

    await expect(opening).rejects.toMatchObject({
      kind: 'usage',
      exitCode: 2,
      message: `cannot write "${path}": it is a symbolic link`,
    })
  })

  test('a link put there while the file was written is refused at the end', async () => {
    const path = join(folder, 'codes.csv')
    const file = await outFile(path)
    await symlink(join(folder, 'elsewhere'), path)

    const finishing = file.finish()

    await expect(finishing).rejects.toMatchObject({ kind: 'usage' })
    await file.abandon()
    expect(await readdir(folder)).toEqual(['codes.csv'])
  })

  test('a device is refused', async () => {
    const opening = outFile('/dev/null')

    await expect(opening).rejects.toMatchObject({ kind: 'usage', exitCode: 2 })
  })

  test('a folder that cannot hold a file is found before anything is opened', async () => {
    await writeFile(join(folder, 'file'), '')

    const [missing, inFile] = await Promise.allSettled([
      mustBeReplaceable(join(folder, 'no', 'codes.csv')),
      mustBeReplaceable(join(folder, 'file', 'codes.csv')),
    ])

    expect(missing).toMatchObject({ reason: { kind: 'io', exitCode: 10 } })
    expect(inFile).toMatchObject({ reason: { message: expect.stringContaining('its folder is a file') } })
  })

  test('a folder that does not exist is an I/O error that says how to create it', async () => {
    const path = join(folder, "it's no", 'codes.csv')

    const opening = outFile(path)

    await expect(opening).rejects.toMatchObject({
      kind: 'io',
      exitCode: 10,
      message: `cannot write "${path}": its folder does not exist`,
      facts: { hint: `mkdir -p '${folder}/it'\\''s no'` },
    })
  })

  test('a folder without write permission is an I/O error', async () => {
    await chmod(folder, 0o500)
    // The superuser can write to every folder but the kernel's own.
    const closed = process.getuid?.() === 0 ? '/sys' : folder

    const opening = outFile(join(closed, 'codes.csv'))

    await expect(opening).rejects.toMatchObject({ kind: 'io', exitCode: 10 })
  })

  test('a file that the disk cannot hold is an I/O error and leaves nothing behind', () => {
    const module = fileURLToPath(new URL('../../../src/output/out-file.ts', import.meta.url))
    const program = `
      const { outFile } = await import(${JSON.stringify(module)})
      const file = await outFile(${JSON.stringify(join(folder, 'codes.csv'))})
      try {
        await file.write('x'.repeat(5_000))
        await file.finish()
      } catch (error) {
        await file.abandon()
        console.log(error.exitCode, error.message)
      }`

    const child = spawnSync(
      'sh',
      ['-c', 'ulimit -f 8; exec "$0" --input-type=module -e "$1"', process.execPath, program],
      {
        encoding: 'utf8',
      },
    )

    expect(child.stdout).toBe(`10 cannot write "${join(folder, 'codes.csv')}": the file would be larger than allowed\n`)
    expect(spawnSync('ls', ['-A', folder], { encoding: 'utf8' }).stdout).toBe('')
  })
})

describe('--out on Windows', () => {
  test.each(['NUL', 'nul', 'con.csv', 'COM1', 'lpt9.txt', 'CONOUT$', 'aux ', 'C:\\codes\\PRN', 'COM²'])(
    '%j is a device in every folder, and refused',
    async (path) => {
      await expect(mustBeReplaceable(path, 'win32')).rejects.toMatchObject({
        exitCode: 2,
        message: `cannot write "${path}": Windows reserves that name for a device`,
      })
    },
  )

  test('a colon in a name would hide what is written', async () => {
    await expect(mustBeReplaceable('C:\\codes\\a.csv:b', 'win32')).rejects.toMatchObject({
      exitCode: 2,
      message: 'cannot write "C:\\codes\\a.csv:b": a name has no colon on Windows',
    })
  })

  test.each(['null.csv', 'console.json', 'com10.csv', 'auxiliary', 'my-nul.csv'])('%s is a file', async (name) => {
    await mustBeReplaceable(join(folder, name), 'win32')
  })

  test.each(['NUL', 'con.csv', 'a:b'])('elsewhere %s is a file', async (name) => {
    await mustBeReplaceable(join(folder, name), 'linux')
  })
})

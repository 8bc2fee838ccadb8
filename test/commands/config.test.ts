// A project as files: copied from one project to another, and changed by what the files say.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillProject, projectFolder, type TestProject, type TestProjects, testProjects } from '../support/projects.ts'

let service: TestProjects
let full: TestProject

beforeAll(async () => {
  service = await testProjects()
  full = await service.another()
  await fillProject(full)
})

afterAll(() => service.close())

/** The files of a folder but for promo's own records. */
function filesOf(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('.promo'))
      .map((path) => [relative(root, path), readFileSync(path, 'utf8')]),
  )
}

/** Pulls a project, checks that it went well, and returns the folder. */
async function pulled(project: TestProject, ...more: string[]): Promise<string> {
  const root = projectFolder()
  const { exitCode, stderr } = await project.promo(['config', 'pull', root, ...more])
  expect([exitCode, stderr.includes('is not written down')]).toEqual([0, false])
  return root
}

function edit(root: string, file: string, change: (text: string) => string): void {
  const path = join(root, file)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const after = change(before)
  expect(after).not.toBe(before)
  writeFileSync(path, after)
}

describe.each(['the demo project', 'a project with every kind and member'])('%s', (which) => {
  const source = () => (which === 'the demo project' ? service.first : full)

  test('is the same in an empty project after one apply, and a second plan has no step', async () => {
    const root = await pulled(source())
    const target = await service.another()

    const applied = await target.promo(['config', 'apply', root, '--yes'])
    const diff = await target.promo(['config', 'diff', root])
    const second = await target.promo(['config', 'plan', root, '--exit-code', '--json'])
    const copy = await pulled(target)

    expect([applied.exitCode, applied.stderr]).toEqual([0, expect.stringContaining('applied')])
    expect([diff.exitCode, diff.stdout]).toEqual([0, ''])
    expect([second.exitCode, JSON.parse(second.stdout)]).toEqual([0, []])
    expect(filesOf(copy)).toEqual(filesOf(root))
  })

  test('is pulled twice without a change, and its files are valid', async () => {
    const root = await pulled(source())
    const before = filesOf(root)

    const again = await source().promo(['config', 'pull', root, '--json'])
    const valid = await source().promo(['config', 'validate', root])

    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([0, []])
    expect(filesOf(root)).toEqual(before)
    expect([valid.exitCode, valid.stdout]).toEqual([0, ''])
  })

  test('has the same plan where no ids are recorded: objects are adopted by their names', async () => {
    const root = await pulled(source())
    const bare = projectFolder()
    cpSync(root, bare, { recursive: true, filter: (path) => !path.endsWith('.promo') })

    const { stdout, stderr, exitCode } = await source().promo(['config', 'diff', bare, '--json'])

    const isFull = which !== 'the demo project'
    const twins = isFull ? /more than one (validation rule|promotion tier|earning rule) could be it/ : /^$/m
    expect(stderr).toMatch(twins)
    expect(isFull ? exitCode : [exitCode, JSON.parse(stdout)]).toEqual(isFull ? 12 : [0, []])
  })
})

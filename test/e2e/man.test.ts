// The manual pages, checked with groff and mandoc, which report no warnings.
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandsIn } from '../../src/cli/help/manifest.ts'
import { needing } from '../support/programs.ts'
import { root } from '../support/source-files.ts'

const folder = 'dist/man/man1'
const pages = globSync(`${folder}/*.1`, { cwd: root }).toSorted()
const shown = commandsIn(root)

const complaintsOf = (program: string, ...args: string[]) => {
  const { error, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  if (error) throw error
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '')
}

const read = (page: string) =>
  execFileSync('man', ['-l', `${folder}/${page}`], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '100', MAN_KEEP_FORMATTING: '' },
  })

describe('manual pages', () => {
  test('there is one for promo, for each topic and for each command', () => {
    const wanted = shown.flatMap(({ id }) => {
      const names = id.split(':')
      return names.map((_, at) => `${folder}/promo-${names.slice(0, at + 1).join('-')}.1`)
    })

    expect(pages).toEqual([...new Set([`${folder}/promo.1`, ...wanted])].toSorted())
  })

  test('groff reports no warning for any', needing('groff'), () => {
    expect(complaintsOf('groff', '-ww', '-man', '-Tutf8', '-z', ...pages)).toEqual([])
  })

  test('mandoc reports no warning except for the date, which would make equal pages differ', needing('mandoc'), () => {
    const complaints = complaintsOf('mandoc', '-Tlint', '-Wwarning', ...pages)

    expect(complaints.filter((line) => !line.includes('missing date'))).toEqual([])
  })

  test('each has a name and a summary that whatis finds', needing('lexgrog'), () => {
    const found = complaintsOf('lexgrog', ...pages)

    expect(found).toHaveLength(pages.length)
    expect(found.filter((line) => !/^dist\/man\/man1\/promo[\w-]*\.1: "promo[\w-]* - \S/.test(line))).toEqual([])
  })

  test('the page of a command shows its usage, with dashes and quotes that can be copied', needing('man'), () => {
    const page = read('promo-vouchers-update.1')

    for (const title of ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXAMPLES', 'EXIT STATUS', 'SEE ALSO']) {
      expect(page).toMatch(new RegExp(`^${title}$`, 'm'))
    }
    expect(page).toContain('promo vouchers update [CODE…] [flags]')
    expect(page).toContain('promo vouchers update MORNING --set additional_info="Until noon" --profile sandbox\n')
    expect(page).toContain('--dry-run\n')
  })

  test('every flag of a command is listed in its page or in that of promo', needing('man'), () => {
    const main = read('promo.1')

    const untold = shown.flatMap(({ id, flags }) => {
      const page = readFileSync(join(root, `${folder}/promo-${id.replaceAll(':', '-')}.1`), 'utf8').replaceAll(
        '\\-',
        '-',
      )
      return Object.values(flags)
        .filter(
          ({ name, helpGroup }) => !new RegExp(`--(\\[no-\\])?${name}\\b`).test(helpGroup === 'GLOBAL' ? main : page),
        )
        .map(({ name }) => `${id} --${name}`)
    })

    expect(untold).toEqual([])
  })
})

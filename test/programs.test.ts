// What a test run reports about tests whose programs are missing.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { needing, skippedLine } from './support/programs.ts'
import { temporaryFolder } from './support/promo.ts'

afterEach(() => vi.unstubAllEnvs())

test('a test whose program is not in PATH is skipped and names the program', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'zsh'), '')
  chmodSync(join(folder, 'zsh'), 0o755)
  vi.stubEnv('PATH', `/dev/null:${folder}`)

  expect(needing('zsh')).toEqual({ skip: false, meta: { lacks: [] } })
  expect(needing('zsh', 'fish')).toEqual({ skip: true, meta: { lacks: ['fish'] } })
})

test('a run ends with the number of skipped tests, the missing programs, and how to install them', () => {
  expect(skippedLine([['zsh'], ['zsh', 'fish'], ['man'], ['lexgrog']])).toBe(
    '4 skipped: fish, lexgrog, man, zsh; apt-get install fish man-db zsh',
  )
})

test('a run that skipped nothing prints nothing about it', () => {
  expect(skippedLine([])).toBeUndefined()
})

// What a test run says about tests whose programs are missing.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { needing, skippedLine } from './support/programs.ts'
import { temporaryFolder } from './support/promo.ts'

afterEach(() => vi.unstubAllEnvs())

test('a test is skipped when a program it needs is not in PATH, and says which', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'zsh'), '')
  chmodSync(join(folder, 'zsh'), 0o755)
  vi.stubEnv('PATH', `/dev/null:${folder}`)

  expect(needing('zsh')).toEqual({ skip: false, meta: { lacks: [] } })
  expect(needing('zsh', 'fish')).toEqual({ skip: true, meta: { lacks: ['fish'] } })
})

test('a run ends with how many tests were skipped, for want of which programs, and how to install those', () => {
  expect(skippedLine([['zsh'], ['zsh', 'fish'], ['man'], ['lexgrog']])).toBe(
    '4 skipped: fish, lexgrog, man, zsh; apt-get install fish man-db zsh',
  )
})

test('a run that skipped nothing says nothing of it', () => {
  expect(skippedLine([])).toBeUndefined()
})

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isBuilt, noteBuild } from '../bin/built.ts'
import { temporaryFolder } from './support/promo.ts'

const files = [
  'src/main.ts',
  'src/commands/vouchers/list.ts',
  'bin/build.ts',
  'docs/agents/SKILL.md',
  'dist/chunks/start.js',
  'dist/man/man1/promo.1',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.oclif.manifest.json',
]

function builtCheckout(): string {
  const checkout = temporaryFolder()
  for (const file of [...files, 'node_modules/zod/index.js', 'test/a.test.ts']) write(join(checkout, file))
  noteBuild(checkout)
  return checkout
}

function write(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'content')
}

test('what is built already is not built again, whatever else changes', () => {
  const checkout = builtCheckout()
  appendFileSync(join(checkout, 'test/a.test.ts'), 'more')

  expect(isBuilt(checkout)).toBe(true)
})

test.each(files)('after a change of %s, and without it, everything is built again', (file) => {
  const [changed, removed] = [builtCheckout(), builtCheckout()]
  appendFileSync(join(changed, file), 'more')
  rmSync(join(removed, file))

  expect([isBuilt(changed), isBuilt(removed)]).toEqual([false, false])
})

test.each(['src/new.ts', 'src/commands/vouchers/new.ts', 'dist/left.js'])(
  'after the addition of %s everything is built again',
  (file) => {
    const checkout = builtCheckout()
    write(join(checkout, file))

    expect(isBuilt(checkout)).toBe(false)
  },
)

test('a checkout whose packages were removed, or that was never built, is built', () => {
  const checkout = builtCheckout()
  rmSync(join(checkout, 'node_modules'), { recursive: true })

  expect([isBuilt(checkout), isBuilt(temporaryFolder())]).toEqual([false, false])
})

// What comments name exists: a module by its path, and a function or a member in backticks.
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './support/source-files.ts'

const files = sourceFiles('src')
const comment = /\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g
const comments = files.flatMap(({ path, text }) => [...text.matchAll(comment)].map(([words]) => ({ path, words })))

/** Names of the platform, which no code of ours mentions. */
const platform = ['toLocaleString', 'withCredentials']

test('every module that a comment names exists', () => {
  const modules = globSync('{src,bin,test,bench}/**/*.{ts,js}', { cwd: root })
  const unknown = comments.flatMap(({ path, words }) =>
    [...words.matchAll(/[\w./-]*\w\.ts\b/g)]
      .map(([name]) => name.replace(/^(?:\.\.?\/)+/, ''))
      .filter((name) => !modules.some((module) => module === name || module.endsWith(`/${name}`)))
      .map((name) => `${path}: ${name}`),
  )

  expect(comments.length).toBeGreaterThan(1000)
  expect(unknown).toEqual([])
})

test('every name of code in backticks in a comment occurs in the code', () => {
  const code = files.map(({ text }) => text.replace(comment, '')).join('\n')
  const known = new Set([...code.matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => name).concat(platform))
  const unknown = comments.flatMap(({ path, words }) =>
    [...words.matchAll(/`([a-z]+[A-Z]\w*)(?:\(\))?`|Throws ([A-Z][A-Za-z]+)\b/g)]
      .map(([, name, error]) => name ?? error ?? '')
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  )

  expect(unknown).toEqual([])
})

// What comments name exists; comments and documents are written in the words of the glossary, documents in short sentences.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sentencesOf, wordsIn } from './support/prose.ts'
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

test('what is written uses the words of the glossary', () => {
  const replaced =
    /\b(?:under way|anew|(?:what|which) (?:came|became) of|something else than|takes? back what|look who)\b/g
  const pages = globSync(['{src,bin}/**/*.ts', '*.md', 'docs/**/*.md'], { cwd: root })
  const found = pages
    // It names them, as those that others take the place of.
    .filter((path) => path !== 'docs/glossary.md')
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(replaced)].map(([words]) => `${path}: ${words}`),
    )

  expect(pages.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})

test('no sentence of a document has more than 25 words', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter((path) => !/^docs.commands/.test(path))
  const long = pages.flatMap((path) =>
    sentencesOf(readFileSync(join(root, path), 'utf8')).flatMap((sentence) =>
      wordsIn(sentence) > 25 ? `${path}: ${sentence}` : [],
    ),
  )

  expect(pages.length).toBeGreaterThan(70)
  expect(long).toEqual([])
})

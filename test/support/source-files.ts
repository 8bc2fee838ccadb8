// Reads the source tree, so that rules about it need no manual list.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export interface SourceFile {
  /** Path relative to the root of the repository. */
  path: string
  text: string
  imports: Import[]
}

export interface Import {
  from: string
  /** Whether it is erased with the types. */
  isType: boolean
  /** Whether it is loaded only when the enclosing code runs. */
  isLazy: boolean
}

/** Every TypeScript file below a folder, with what it imports. */
export function sourceFiles(folder: string): SourceFile[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root })
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, imports: importsOf(path, text) }
    })
}

const importStatement = /^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm
const lazyImport = /\bimport\('([^']+)'\)/g
const lazyType = /(?:typeof\s+|:\s*|<)import\('([^']+)'\)/g

function importsOf(path: string, text: string): Import[] {
  const resolve = (from: string) => (from.startsWith('.') ? normalize(join(dirname(path), from)) : from)
  const types = new Set([...text.matchAll(lazyType)].map((match) => (match.index ?? 0) + match[0].indexOf('import(')))
  return [
    ...[...text.matchAll(importStatement)].map(([, type, from = '']) => ({
      from: resolve(from),
      isType: type !== undefined,
      isLazy: false,
    })),
    ...[...text.matchAll(lazyImport)].map((match) => ({
      from: resolve(match[1] ?? ''),
      isType: types.has(match.index ?? 0),
      isLazy: true,
    })),
  ]
}

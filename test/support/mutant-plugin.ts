// Puts one mutant in the place of its source while tests run: `npm run mutants` names it. The sources are never changed.
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { root } from './source-files.ts'

/** A change of one place of one file, by offsets. */
export interface Mutant {
  path: string
  start: number
  end: number
  to: string
}

/** The plugin for the mutant in the environment variable MUTANT; none without it. */
export function mutantPlugin(): Plugin[] {
  if (process.env.MUTANT === undefined) return []
  const { path, start, end, to } = JSON.parse(process.env.MUTANT) as Mutant
  return [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(code, id) {
        return id.split('?')[0] === join(root, path) ? `${code.slice(0, start)}${to}${code.slice(end)}` : undefined
      },
    },
  ]
}

// Programs of the tests that are started many times: hundreds of modules take twice the processor time of one file.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from './source-files.ts'

/** Bundles a program, once for the entire test run, and returns the file that Node starts. */
export async function bundled(path: string): Promise<string> {
  const name = basename(path, '.ts')
  const made = join(tmpdir(), 'programs', name)
  if (!existsSync(made)) await bundle(path, made)
  return join(made, `${name}.js`)
}

async function bundle(path: string, made: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const draft = mkdtempSync(join(tmpdir(), 'program-'))
  const input = join(root, path)
  const build = await rolldown({ cwd: root, input, platform: 'node', tsconfig: 'tsconfig.json', logLevel: 'silent' })
  await build.write({ dir: draft, format: 'esm' })
  await build.close()
  mkdirSync(join(made, '..'), { recursive: true })
  try {
    renameSync(draft, made)
  } catch (error) {
    // Another file of tests was first.
    if (!existsSync(made)) throw error
    rmSync(draft, { recursive: true })
  }
}

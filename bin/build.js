// Bundles src into dist (one chunk per command, libraries included) and writes the manifest that oclif starts from.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
process.chdir(root)
rmSync('dist', { recursive: true, force: true })

const input = { main: 'src/main.ts' }
for (const file of globSync('src/commands/**/*.ts')) input[file.slice('src/'.length, -'.ts'.length)] = file
const bundle = await rolldown({ input, platform: 'node', tsconfig: 'tsconfig.json', external: ['@napi-rs/keyring'] })
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  minify: true,
  sourcemap: false,
  chunkFileNames: 'chunks/[name]-[hash].js',
})

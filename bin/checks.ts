// What `npm test` does: the build, unless nothing has changed since the last one, then all checks in parallel, each with
// its output, and with --tests the tests after them. Ends with exit code 1 when one of them fails.
import { exec, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { isBuilt } from './built.ts'

const root = join(import.meta.dirname, '..')
const isReady = isBuilt(root) || (await passes('build -- --check-manifest'))
const results = isReady ? await afterBuild() : [false]
process.exitCode = results.every(Boolean) ? 0 : 1

/** Waits for the registry most of its time, so the tests run beside it; the other checks need the processors. */
async function afterBuild(): Promise<boolean[]> {
  const installed = passes('check-package')
  const checked = await Promise.all(['lint', 'typecheck', 'docs -- --check'].map(passes))
  const tested = process.argv.includes('--tests') && checked.every(Boolean) ? [await testsPass()] : []
  return [await installed, ...checked, ...tested]
}

async function testsPass(): Promise<boolean> {
  const [code] = await once(
    spawn('vitest', ['run', '--project', 'tests', '--project', 'processes'], { cwd: root, stdio: 'inherit' }),
    'close',
  )
  return code === 0
}

/** Runs a script of package.json and prints what it printed, in one piece. */
function passes(script: string): Promise<boolean> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    exec(`npm run -s ${script}`, { cwd: root, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      process.stdout.write(`${stdout}${stderr}${error ? 'FAILED' : 'passed'}: npm run ${script} (${seconds} s)\n`)
      resolve(error === null)
    })
  })
}

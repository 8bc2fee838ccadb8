// What `npm test` does before the tests: the build, then all checks that run beside each other, each with what it said. Ends
// with exit code 1 when one of them found something.
import { exec } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const build = 'build -- --check-manifest'
// The longest first; check-package waits for the registry most of its time.
const checks = ['check-package', 'lint', 'typecheck', 'docs -- --check']

const isBuilt = await passes(build)
const waiting = [...checks]
const worker = async () => {
  const ended: boolean[] = []
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) ended.push(await passes(next))
  return ended.every(Boolean)
}
const ended = isBuilt ? await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker)) : [false]
process.exitCode = ended.every(Boolean) ? 0 : 1

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

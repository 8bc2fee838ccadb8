// A sandbox in its own process, as `promo sandbox start` serves it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const bin = join(import.meta.dirname, '../bin/run.js')

/** Starts a sandbox on a file of the folder; returns its address and keys, and a way to stop it. */
export async function ownSandbox(folder, flags = ['--empty']) {
  const serve = ['sandbox', 'start', '--json', '--data', join(folder, 'bench.db')]
  return await ownProcess([bin].concat(serve, flags))
}

/** Starts a program that prints one line of JSON when it is ready; returns that, and a way to stop it. */
export async function ownProcess(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const stop = () => {
      const ended = new Promise((resolve) => child.on('close', resolve))
      child.kill('SIGTERM')
      return ended
    }
    return { ...JSON.parse(line), stop }
  }
  throw new Error(`${args.join(' ')} did not start`)
}

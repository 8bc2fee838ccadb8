// A sandbox in its own process, as `promo sandbox start` serves it.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'

const bin = join(import.meta.dirname, '../bin/run.js')

/** Starts a sandbox on a file of the folder; returns its address and keys, its process, and a way to stop it. */
export async function ownSandbox(folder, flags = ['--empty'], file = 'bench.db') {
  const serve = ['sandbox', 'start', '--json', '--data', join(folder, file)]
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
    return { ...JSON.parse(line), pid: child.pid, stop }
  }
  throw new Error(`${args.join(' ')} did not start`)
}

/**
 * Returns how long the main thread of a process has been on a core (ms); NaN where the system does not say.
 *
 * Unlike requests a second, it does not depend on what else the computer does, nor on what the load generator takes.
 */
export function cpuMsOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return Number.NaN
  }
}

/** Returns a client of a sandbox that returns the text of an answer, and throws for one that is refused. */
export function clientOf({ url, app_id, app_token, pid }) {
  const pool = new Pool(url, { connections: 32 })
  const keys = { 'x-app-id': app_id, 'x-app-token': app_token }
  return {
    /** `file` is sent as a form, as imports expect it. */
    text: async ({ method, path, body, file }) => {
      const isFile = file !== undefined
      const headers = { ...keys, 'content-type': isFile ? 'multipart/form-data; boundary=bench' : 'application/json' }
      const sent = isFile
        ? `--bench\r\nContent-Disposition: form-data; name="file"\r\n\r\n${file}\r\n--bench--\r\n`
        : body && JSON.stringify(body)
      const answer = await pool.request({ method, path, headers, body: sent })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`)
      return text
    },
    cpuMs: () => cpuMsOf(pid),
    close: () => pool.close(),
  }
}

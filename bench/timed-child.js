// Runs a program to its end and measures its time and its memory.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns when it started (Unix seconds), the seconds from start to end, and the peak resident memory (MB); throws for an
 * exit code other than `expected`.
 *
 * `env` is the environment except for PATH. The first of `command` is the program. When `killAt` resolves, the program is
 * killed, and that end is expected.
 */
export async function timedChild(command, env = {}, killAt, expected = 0) {
  const started = Date.now() / 1000
  const startedAt = performance.now()
  const [program, ...args] = command.map(String)
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peakMb = 0
  const sample = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid))
  }, 100)
  killAt?.then(() => child.kill('SIGKILL'))
  const status = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
  clearInterval(sample)
  if (status !== (killAt ? null : expected)) throw new Error(`${command.slice(0, 4).join(' ')} … exited with ${status}`)
  return { started, seconds: (performance.now() - startedAt) / 1000, peakMb }
}

// The kernel's own high-water mark, read while the process is alive.
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

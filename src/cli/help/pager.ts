// The user's pager, for pages that are longer than the screen.
import type { ChildProcess } from 'node:child_process'
import type { Host } from '../run/host.ts'

/** Exit codes of a shell that found no such program, or may not run it. */
const notRun = [126, 127]

/**
 * Shows a text in the pager that PAGER names, else in `less`, and waits until it ends. Without a pager it is written to stdout.
 *
 * A pager that is closed early is no error. `host.stop` ends it.
 */
export async function showInPager(text: string, host: Pick<Host, 'env' | 'stop' | 'stdout'>): Promise<void> {
  const { PAGER: pager = 'less', TERM: terminal } = host.env
  const isShown = terminal !== 'dumb' && pager.trim() !== '' && (await isShownBy(pager, text, host))
  if (!isShown) host.stdout.write(text)
}

async function isShownBy(pager: string, text: string, { env, stop }: Pick<Host, 'env' | 'stop'>): Promise<boolean> {
  const { spawn } = await import('node:child_process')
  // As git does: colours are kept, and the page stays on the screen. A plain name needs no shell, which would complain about it.
  const child: ChildProcess = spawn(pager, {
    shell: /\W/.test(pager.trim()),
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'RX', LV: '-c', ...withoutSecrets(env) },
    signal: stop,
  })
  child.stdin?.on('error', () => {})
  child.stdin?.end(text)
  return new Promise((resolve) => {
    child.on('error', () => resolve(stop.aborted))
    child.on('close', (code) => resolve(!notRun.includes(code ?? 0)))
  })
}

function withoutSecrets(env: Host['env']): Host['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PROMO_')))
}

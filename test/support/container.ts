// The last stage of the Dockerfile, played in a root folder: what was installed is copied, and a command runs as in
// `docker run --read-only`, with the volume as the only place that can be written. Needs root.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { appendFileSync, copyFileSync, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runIn } from './debian-root.ts'
import { root } from './source-files.ts'

/** The user of the base image; its Node is that of the checkout here. */
const user = { name: 'node', id: 1000 }
const basePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Returns the instructions of each stage of the Dockerfile, in their order, with lines joined. */
export function dockerStages(): [name: string, rest: string][][] {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
  const instructions = [...text.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = '', rest = '']) => [name, rest] as const)
  const stages: [string, string][][] = []
  for (const [name, rest] of instructions) {
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push([name, rest])
  }
  return stages
}

/** Follows the last stage in a folder; `built` holds what the stage before it installed, by its path there. */
export async function containerIn(folder: string, built: ReadonlyMap<string, string>) {
  copyFileSync(process.execPath, join(folder, 'usr/local/bin/node'))
  appendFileSync(join(folder, 'etc/passwd'), `${user.name}:x:${user.id}:${user.id}::/home/node:/bin/sh\n`)
  appendFileSync(join(folder, 'etc/group'), `${user.name}:x:${user.id}:\n`)
  const env: Record<string, string> = { PATH: basePath }
  const told: Record<string, string> = {}
  for (const [name, rest] of dockerStages().at(-1) ?? []) {
    if (name === 'COPY') {
      const [, from = '', to = ''] = /^--from=build (\S+) (\S+)$/.exec(rest) ?? []
      cpSync(built.get(from) ?? from, join(folder, to), { recursive: true, verbatimSymlinks: true })
    } else if (name === 'ENV') {
      for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) env[key] = value.replace('$PATH', basePath)
    } else if (name === 'RUN') {
      const { exitCode, stderr } = await runIn(folder, ['/bin/sh', '-c', rest], env)
      if (exitCode !== 0) throw new Error(`RUN ${rest}: ${stderr}`)
    } else told[name] = rest
  }
  const [entrypoint, command] = [told.ENTRYPOINT, told.CMD].map((words = '[]') => JSON.parse(words) as string[])
  const health = JSON.parse(/CMD (\[.*\])$/.exec(told.HEALTHCHECK ?? '')?.[1] ?? '[]') as string[]

  const start = (argv: readonly string[], own: Record<string, string> = {}): ChildProcessWithoutNullStreams => {
    const mount = `mount --bind "$0" "$0" && mount --bind "$0${told.VOLUME}" "$0${told.VOLUME}" && mount -o remount,bind,ro "$0"`
    const enter = `exec chroot --userspec=${user.id}:${user.id} --groups= "$0" /bin/sh -c 'cd ${told.WORKDIR} && exec "$@"' sh "$@"`
    return spawn('unshare', ['--mount', 'sh', '-c', `${mount} && ${enter}`, folder, ...argv], {
      env: { ...env, ...own },
    })
  }
  return {
    told,
    /** Runs promo with the given arguments; without any, with those of CMD. */
    run: (argv = command, own?: Record<string, string>) => start([...(entrypoint ?? []), ...(argv ?? [])], own),
    /** Asks whether a container is healthy. */
    health: (own?: Record<string, string>) => start(health, own),
  }
}

// Shell scripts in which `promo` is this process. The documents show some 200 lines, and a process that loads promo anew for each
// of them was a twentieth of the whole run. Where a signal, a terminal or a closed pipe matters, the real bin runs: child.ts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Ended, ended, environmentIn } from './child.ts'
import { promo, temporaryFolder } from './promo.ts'
import { root } from './source-files.ts'

/** Hands its words and its input over in files, and waits until what was printed is there. */
const client = (port: number, folder: string) => `promo() {
  local call code door
  call=$(mktemp -d '${folder}/XXXXXX')
  pwd > "$call/cwd"; printf '%s\\0' "$@" > "$call/words"; cat > "$call/stdin"
  exec {door}<>/dev/tcp/127.0.0.1/${port}
  echo "$call" >&$door; read -r code <&$door; exec {door}>&-
  cat "$call/stderr" >&2; cat "$call/stdout"; return "$code"
}`

/** Runs a script of bash in `folder`, beside the examples, in which `promo` and what xargs starts of it run in this process. */
export async function runScript(script: string, folder: string): Promise<Ended> {
  const examples = join(folder, 'examples')
  if (!existsSync(examples)) symlinkSync(join(root, 'examples'), examples)
  const programs = temporaryFolder()
  const env = environmentIn(folder)
  let wrong: unknown
  const server = createServer((socket) => {
    answer(socket, env).catch((error) => {
      // What the run itself complains about is no end of promo; without an answer the script would wait for one.
      wrong ??= error
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const promoFunction = client((server.address() as AddressInfo).port, programs)
  const bin = join(programs, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'promo'), `#!/bin/bash\n${promoFunction}\npromo "$@"\n`, { mode: 0o700 })
  const before = process.cwd()
  try {
    const child = spawn('bash', ['-c', `${promoFunction}\n${script}`], {
      cwd: folder,
      env: { ...env, PATH: `${bin}:${env.PATH}` },
    })
    const how = await ended(child)
    if (wrong !== undefined) throw wrong
    return how
  } finally {
    process.chdir(before)
    server.close()
  }
}

async function answer(socket: Socket, env: Record<string, string | undefined>): Promise<void> {
  for await (const call of createInterface(socket)) {
    const [cwd = ''] = readFileSync(join(call, 'cwd'), 'utf8').split('\n')
    const words = readFileSync(join(call, 'words'), 'utf8').split('\0').slice(0, -1)
    process.chdir(cwd)
    const ran = await promo(words, { env: env as Record<string, string>, stdin: readFileSync(join(call, 'stdin')) })
    writeFileSync(join(call, 'stdout'), ran.stdout)
    writeFileSync(join(call, 'stderr'), ran.stderr)
    socket.end(`${ran.exitCode}\n`)
  }
}
